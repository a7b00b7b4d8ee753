/**
 * Characters that a terminal obeys instead of showing: control, format (bidirectional overrides,
 * zero-width), line and paragraph separators, and lone surrogates.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** `text` with every unshown character as `\uXXXX`: safe on a terminal, and on one line. */
export function escapeControls(text: string): string {
  return text.replace(UNSHOWN, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
