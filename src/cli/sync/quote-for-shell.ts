import { escapeControls } from "../../text.js";

/** A word of a command line that can be copied into a shell. */
export function quoteForShell(word: string): string {
  if (/^[\w./@:+-]+$/.test(word)) return word;
  return `'${escapeControls(word).replaceAll("'", "'\\''")}'`;
}
