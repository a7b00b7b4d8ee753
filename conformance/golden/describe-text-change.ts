import { structuredPatch } from "diff";
import { escapeControls } from "../../src/text.js";

/** Lines around a change that are shown with it. */
const CONTEXT = 1;

/**
 * The lines in which two texts differ as a unified diff, `-` for the expected ones; safe on a terminal.
 * Where a change stands is said only when it is more than one line for another.
 */
export function describeTextChange(expected: string, actual: string): string {
  const { hunks } = structuredPatch("", "", expected, actual, "", "", { context: CONTEXT });
  const isOneLine = hunks.every(({ lines }) => lines.length <= 2);
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      ...(isOneLine ? [] : [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`]),
      ...lines.map((line) => `${line.slice(0, 1)} ${escapeControls(line.slice(1))}`),
    ])
    .join("\n");
}
