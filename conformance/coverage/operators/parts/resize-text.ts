/** A text of `length` characters (code points): cut off, or its last character repeated. */
export function resizeText(valid: unknown, length: number): string {
  const characters = typeof valid === "string" ? [...valid] : [];
  return characters
    .slice(0, length)
    .join("")
    .padEnd(length, characters.at(-1) ?? "a");
}
