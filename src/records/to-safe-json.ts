import { escapeControls } from "./escape-controls.js";

/**
 * `value` as indented JSON that is safe on a terminal and ends in a newline. What a terminal obeys is
 * written as `\uXXXX`, which inside a string is the same character.
 */
export function toSafeJson(value: object): string {
  // Line by line, so that the layout stays.
  const lines = JSON.stringify(value, null, 2).split("\n").map(escapeControls);
  return `${lines.join("\n")}\n`;
}
