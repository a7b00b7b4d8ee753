import { structuredPatch } from "diff";
import { escapeControls, formatCount } from "../../../base/text.js";
import type { Verdicts, VersionComparison } from "../../compat/compare-versions.js";
import { withPlainLineEnds } from "../hash-grade.js";

/** Number of unchanged lines shown around a change. */
const CONTEXT = 2;
/** Maximum number of lines of a diff. */
const MAX_LINES = 40;
/** Maximum number of code units per line. */
const MAX_WIDTH = 160;
/** Maximum number of differing lines. Longer diffs are unreadable and slow to compute. */
const MAX_EDITS = 2000;

/** The lines of a unified diff, safe for a terminal. Line ends are no difference of lines. */
export function describeTextDiff(old: string | Uint8Array, present: string | Uint8Array): string[] {
  const [before = "", after = ""] = [old, present].map((text) =>
    withPlainLineEnds(text).toString(),
  );
  if (before === after) return ["only line ends differ"];
  const patch = structuredPatch("", "", before, after, "", "", {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return [`more than ${formatCount(MAX_EDITS, "line")} differ`];
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${toRange(oldStart, oldLines)} +${toRange(newStart, newLines)} @@`,
    ...lines.map(toShown),
  ]);
  const left = lines.length - MAX_LINES;
  if (left <= 0) return lines;
  return [...lines.slice(0, MAX_LINES), `... and ${formatCount(left, "more line")} of the diff`];
}

/** An empty range starts one line earlier, as in unified diffs. */
function toRange(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function toShown(line: string): string {
  const cut = line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH)} ...` : line;
  return escapeControls(cut);
}

/** The verdicts of a schema change in one line, including those of declared-writer if they differ. */
export function describeVerdicts({ lenses }: VersionComparison): string {
  const [all, declared] = [lenses.validate, lenses["declared-writer"]].map(describe);
  return all === declared ? `${all}` : `${all} (declared-writer: ${declared})`;
}

function describe({ backward, forward }: Verdicts): string {
  return `backward ${backward}, forward ${forward}`;
}
