/** A daily file by its parts. */
export interface DailyName {
  /** `2026-01-31`, in UTC. */
  readonly day: string;
  /** From 1; further files of a day have further numbers. */
  readonly number: number;
  readonly isPacked: boolean;
}

const NAME = /^rollouts-(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,8}))?\.jsonl(\.gz)?$/;

/** `rollouts-2026-01-31.jsonl`, and further ones `rollouts-2026-01-31.2.jsonl`. */
export function toDailyName({ day, number, isPacked }: DailyName): string {
  return `rollouts-${day}${number === 1 ? "" : `.${number}`}.jsonl${isPacked ? ".gz" : ""}`;
}

/** The parts of a name that `toDailyName` gives; undefined for any other. */
export function parseDailyName(name: string): DailyName | undefined {
  const [, day, number, packed] = NAME.exec(name) ?? [];
  if (day === undefined || number === "1") return undefined;
  return { day, number: Number(number ?? 1), isPacked: packed !== undefined };
}

/** The day of a Unix time in milliseconds, in UTC. */
export function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
