/** Size of the cache; it is cleared when full. */
const MAX_PATTERNS = 1000;

const compiled = new Map<string, RegExp | undefined>();

/**
 * An ECMAScript pattern, with the flag `u` if it is one with that flag: many that are in use are not. Undefined if it is
 * none.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  if (compiled.size >= MAX_PATTERNS) compiled.clear();
  const made = tryToCompile(pattern, "u") ?? tryToCompile(pattern, "");
  compiled.set(pattern, made);
  return made;
}

function tryToCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
