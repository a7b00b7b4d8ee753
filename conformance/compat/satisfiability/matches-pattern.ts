/** Compiled patterns that are kept; with more of them, all are forgotten. */
const MAX_PATTERNS = 1000;

const compiled = new Map<string, RegExp>();

/** Whether a text matches a pattern as `pattern` does: with the flag `u`, anywhere. */
export function matchesPattern(pattern: string, text: string): boolean {
  const known = compiled.get(pattern);
  if (known !== undefined) return known.test(text);
  if (compiled.size >= MAX_PATTERNS) compiled.clear();
  const made = new RegExp(pattern, "u");
  compiled.set(pattern, made);
  return made.test(text);
}
