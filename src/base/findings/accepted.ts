import type { RecordFault } from "./finding.js";

/** A place in the records of a file whose findings are accepted. */
export interface AcceptedPlace {
  /** As in findings. */
  readonly file: string;
  /** Undefined: whatever is found there. */
  readonly id: string | undefined;
  /** JSON Pointer of the place in any record; an index stands for all. */
  readonly pointer: string;
}

/** A JSON Pointer with all indexes replaced, so that it is the same for all items of a list. */
export function generalisePointer(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/** Whether one of the places accepts a finding in a file. */
export function isAccepted(
  file: string,
  { id, pointer }: RecordFault,
  places: readonly AcceptedPlace[] = [],
): boolean {
  if (places.length === 0) return false;
  const place = generalisePointer(pointer);
  return places.some(
    (each) =>
      each.file === file && (each.id ?? id) === id && generalisePointer(each.pointer) === place,
  );
}
