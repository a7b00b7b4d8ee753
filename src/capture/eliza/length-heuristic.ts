/**
 * Score of an answer by its length alone: n / (n + 1) for n characters (Unicode code points), 0 for none;
 * from 0 to below 1, and longer is always better. `four` scores 0.8, as in the plugin document. It says
 * nothing of how good an answer is, and stands in until there is a scorer that does.
 */
export function lengthHeuristic(answer: string): number {
  const characters = Array.from(answer).length;
  return characters / (characters + 1);
}
