/** Only an error makes a command exit with 1; a warning is printed and counted. */
export type Severity = "error" | "warning";

/** One thing that is wrong with the input, as every command reports it. */
export interface Finding {
  /** Keyword of JSON Schema, id of a semantic rule, or `json` for a line that cannot be read. */
  readonly id: string;
  readonly severity: Severity;
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 1 when the place in the line is not known. */
  readonly column: number;
  /** JSON Pointer (RFC 6901) into the record; "" is the record, or the line that holds none. */
  readonly pointer: string;
  /** A sentence without its place, safe on a terminal. */
  readonly message: string;
  /** Id of the check that found it, in a conformance run: the engine fills it in. */
  readonly check?: string;
  /** Name of the finding over all runs, where it has one: approvals go by it. */
  readonly fingerprint?: string;
  /** Lines that show more, such as a diff or a record that proves it; safe on a terminal. */
  readonly detail?: string;
}
