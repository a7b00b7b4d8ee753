/**
 * The process protocol by which implementations are compared: JSONL on standard input and output,
 * one request and one verdict per line, in the same order, and a summary at the end of input.
 */
export interface Request {
  readonly id: number;
  /** Name of the definition that the record claims to be. */
  readonly type: string;
  /** The record as JSON text; in the line it stands as the value of `record`. */
  readonly recordText: string;
}

export interface Fault {
  /** JSON Pointer of the value that failed. */
  readonly pointer: string;
  readonly keyword: string;
}

export interface Verdict {
  readonly id: number;
  readonly valid: boolean;
  readonly errors: readonly Fault[];
}

/** Last line of an adapter: how many records it judged. */
export interface Summary {
  readonly summary: { readonly count: number };
}

/**
 * A request as a line. The record's text goes in as it is, so that spellings which JSON.stringify
 * would change (1.0, 1e400, an escaped lone surrogate) reach the adapter.
 */
export function requestLine({ id, type, recordText }: Request): string {
  return `{"id":${id},"type":${JSON.stringify(type)},"record":${recordText}}\n`;
}
