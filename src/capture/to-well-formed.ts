/** Half of a pair, or alone; found several times as fast as LONE. */
const SURROGATE = /[\ud800-\udfff]/;

/** A surrogate that is none of a pair, in a text that is read by code points. */
const LONE = /\p{Surrogate}/gu;

/**
 * A text with U+FFFD in place of each lone surrogate: what becomes of it anyway wherever it is written as
 * UTF-8, such as on its way to a model (rule `well-formed-unicode`).
 */
export function toWellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(LONE, "\u{FFFD}") : text;
}
