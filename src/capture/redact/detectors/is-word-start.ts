/** What JSON, a shell or a URL escapes: no part of the word behind it. */
const ESCAPE = /(?:\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})$/;
/** For patterns that may match anywhere within a long word, where most are found not to begin one. */
export const WORD_START = String.raw`(?<=^|[^A-Za-z0-9]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})`;
const LONGEST_ESCAPE = 6;

/**
 * Whether a word begins at an index: no letter and no digit stands before it, but for those of an escape, such as
 * `\n`, `\u003d` and `%3D`. A bare word does not begin within an escape.
 */
export function isWordStart(text: string, index: number, isBare: boolean): boolean {
  const before = text.slice(Math.max(0, index - LONGEST_ESCAPE), index);
  if (ESCAPE.test(before)) return true;
  if (/[A-Za-z0-9]$/.test(before)) return false;
  if (!isBare) return true;
  const first = text.slice(index, index + 2);
  return (
    !(before.endsWith("\\") && /^[bfnrtu]/.test(first)) &&
    !(before.endsWith("%") && /^[0-9A-Fa-f]{2}/.test(first))
  );
}
