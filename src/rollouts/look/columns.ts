import measure from "string-width";
import { escapeControls } from "../../base/text.js";

/** Columns where there is no terminal. */
export const PLAIN_WIDTH = 100;

/** Space between columns. */
const GAP = "  ";

const ELLIPSIS = "…";

/** Number of columns that a text takes in a terminal: two for an ideograph or an emoji, none for a style. */
function widthOf(text: string): number {
  return isAscii(text) ? text.length : measure(text);
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Widths of graphemes that were measured before, which takes longer than all else here. */
const known = new Map<string, number>();
const MAX_KNOWN = 10_000;

function widthOfGrapheme(grapheme: string): number {
  const found = known.get(grapheme);
  if (found !== undefined) return found;
  const width = measure(grapheme);
  if (known.size < MAX_KNOWN) known.set(grapheme, width);
  return width;
}

/** Length of the beginning of a text that fits into `width` columns. */
function lengthWithin(text: string, width: number, units = 8 * width): number {
  // More units than columns, because some take none. Splitting a whole text would take too long.
  const start = text.slice(0, units);
  if (isAscii(start)) return Math.min(start.length, width);
  let taken = 0;
  for (const { segment, index } of graphemes.segment(start)) {
    taken += widthOfGrapheme(segment);
    if (taken > width) return index;
  }
  return start.length === text.length ? start.length : lengthWithin(text, width, 2 * units);
}

/** A text on one line of at most `width` columns, safe to print. */
export function truncate(text: string, width: number): string {
  // Longer texts are cut before they are looked at: white space may take as much as the line, and as much again.
  const start = text.slice(0, 4 * width).replace(/[\ud800-\udbff]$/, "");
  const line = escapeControls(start.replaceAll(/\s+/g, " ").trim());
  if (start.length === text.length && widthOf(line) <= width) return line;
  return `${line.slice(0, lengthWithin(line, width - widthOf(ELLIPSIS)))}${ELLIPSIS}`;
}

/** All lines of a text, at most `width` columns each, broken between words where possible. Safe to print. */
export function wrap(text: string, width: number): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .flatMap((line) => wrapLine(escapeControls(line.replaceAll("\t", "    ")), width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let at = 0;
  for (;;) {
    const fitting = lengthWithin(line.slice(at), width);
    if (at + fitting === line.length) return [...lines, line.slice(at).trimEnd()];
    const space = line.lastIndexOf(" ", at + fitting);
    const isBetweenWords = space > at && /\S/.test(line.slice(at, space));
    // A word that is longer than the line is cut; even a narrow line takes one character.
    const end = isBetweenWords ? space : at + Math.max(fitting, 1);
    lines.push(line.slice(at, end).trimEnd());
    at = end;
    while (line[at] === " ") at += 1;
  }
}

/** Sets columns of lines side by side, each `width` columns wide. Styles take no space. */
export function sideBySide(columns: readonly (readonly string[])[], width: number): string[] {
  const height = Math.max(0, ...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const cells = columns.map((lines) => {
      const cell = lines[row] ?? "";
      return `${cell}${" ".repeat(Math.max(0, width - widthOf(cell)))}`;
    });
    return cells.join(GAP).trimEnd();
  });
}

/** Width of each of `count` columns that fill `width`. */
export function columnWidth(count: number, width: number): number {
  return Math.floor((width - GAP.length * (count - 1)) / count);
}
