/**
 * Why records did not arrive.
 *
 * - `unavailable`: not now, perhaps later; they are sent again.
 * - `misconfigured`: not before somebody mends the credentials or the address; they are sent again, with the
 *   longest wait between two tries.
 * - `rejected`: never, as they are; they are kept aside and not sent again.
 */
export type SinkErrorKind = "unavailable" | "misconfigured" | "rejected";

/** Thrown by sinks; any other error of theirs counts as `unavailable`. */
export class SinkError extends Error {
  override readonly name = "SinkError";
  readonly kind: SinkErrorKind;
  /** How long the destination asks to be left alone, in milliseconds; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: SinkErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
