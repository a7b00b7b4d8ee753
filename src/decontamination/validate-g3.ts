import { createEvalIndex, type G3Options } from "./create-eval-index.js";
import type { EvalItem, G3Finding, G3Task } from "./g3-finding.js";

/**
 * The G3 gate as one call: every (task, evaluation item) pair that shares an n-gram, tasks in their
 * order, items in theirs. Tasks are streamed; the findings are not, and there may be as many as
 * tasks times items: to stop early or to keep fewer, call `createEvalIndex` and go task by task.
 *
 * No tasks give no findings; whoever reports a pass has to count what was compared.
 *
 * Throws UserError as `createEvalIndex` does.
 */
export function validateG3(
  tasks: Iterable<G3Task>,
  evalItems: Iterable<EvalItem>,
  options: G3Options = {},
): G3Finding[] {
  const index = createEvalIndex(evalItems, options);
  const findings: G3Finding[] = [];
  for (const task of tasks) {
    for (const finding of index.findOverlaps(task)) findings.push(finding);
  }
  return findings;
}
