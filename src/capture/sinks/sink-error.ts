/**
 * Why records did not arrive.
 *
 * - `unavailable`: not now, perhaps later; they are sent again.
 * - `rejected`: never, as they are; they are kept aside and not sent again.
 */
export type SinkErrorKind = "unavailable" | "rejected";

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
