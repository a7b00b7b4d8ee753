import type { FindingList } from "../../../conformance/finding-list.js";
import type { EvalIndex } from "../../decontamination/create-eval-index.js";
import type { G3Finding } from "../../decontamination/g3-finding.js";
import { escapeControls } from "../../records/escape-controls.js";
import { previewValue } from "../../records/preview-value.js";
import type { TaskLine } from "./read-branches.js";

/**
 * Gate G3: adds an error for every evaluation item that a rollout's task overlaps, and gives their
 * number.
 */
export function findEvalOverlaps(
  tasks: readonly TaskLine[],
  index: EvalIndex,
  findings: FindingList,
): number {
  let overlaps = 0;
  for (const { rolloutId, task, line } of tasks) {
    for (const overlap of index.findOverlaps({ id: rolloutId, text: task })) {
      const message = describeOverlap(overlap);
      findings.add(line, [{ id: "g3", severity: "error", pointer: "/task", message }]);
      overlaps += 1;
    }
  }
  return overlaps;
}

function describeOverlap(overlap: G3Finding): string {
  const { task, evalItem, ngram, overlapRatio, longestSpan } = overlap;
  const item = `${previewValue(evalItem.id)} (${escapeControls(evalItem.file)}:${evalItem.line})`;
  // Two significant digits, so that a small overlap is not shown as none.
  const ratio = Number(overlapRatio.toPrecision(2));
  return (
    `rollout ${previewValue(task)} shares "${escapeControls(ngram)}" with evaluation item ${item}, ` +
    `overlap ratio ${ratio}, longest span ${longestSpan}`
  );
}
