import { structuredPatch } from "diff";
import { escapeControls } from "../../src/records/escape-controls.js";

/** Lines around a change that are shown with it. */
const CONTEXT = 1;

/**
 * The lines of two JSON values as a unified diff, `-` for the expected one; undefined has no lines. Text
 * of one line, numbers and the like are a line each; longer text is compared by its lines, and the rest
 * by its fields. Safe on a terminal.
 */
export function describeChange(expected: unknown, actual: unknown): string {
  const byLine = [expected, actual].some(
    (value) => typeof value === "string" && value.includes("\n"),
  );
  const patch = structuredPatch("", "", toText(expected, byLine), toText(actual, byLine), "", "", {
    context: CONTEXT,
  });
  const header = patch.hunks.some(({ lines }) => lines.length > 2);
  return patch.hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      ...(header ? [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`] : []),
      ...lines.map((line) => `${line.slice(0, 1)} ${escapeControls(line.slice(1))}`),
    ])
    .join("\n");
}

function toText(value: unknown, byLine: boolean): string {
  if (value === undefined) return "";
  const text = byLine && typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return `${text}\n`;
}
