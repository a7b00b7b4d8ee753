const NAME = /^(\d{8,})\.jsonl$/;

/** File name of a log's segment, by its number from 1. */
export function toSegmentName(segment: number): string {
  return `${String(segment).padStart(8, "0")}.jsonl`;
}

/** The number of a segment by its file name; undefined for any other file. */
export function parseSegmentName(name: string): number | undefined {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
