import type { ObjectiveStatus } from "#generated/index.js";

/**
 * One verdict of several, all of which have to pass: `fail` if one fails, what they say if they agree,
 * otherwise `unknown`. One that says nothing has not passed: beside others it makes `unknown`.
 * Undefined when none says anything.
 */
export function combineVerdicts(
  verdicts: Iterable<ObjectiveStatus | undefined>,
): ObjectiveStatus | undefined {
  const distinct = new Set(verdicts);
  if (distinct.has("fail")) return "fail";
  const [verdict] = distinct;
  return distinct.size > 1 ? "unknown" : verdict;
}
