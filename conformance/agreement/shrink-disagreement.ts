import type { Adapter } from "./adapter.js";
import { compareVerdicts } from "./compare-verdicts.js";
import type { CorpusRecord } from "./corpus-record.js";
import { type Disagreement, findReasons } from "./find-disagreements.js";
import { isSameWay } from "./group-disagreements.js";
import { listReductions, type Reduction } from "./list-reductions.js";
import { runAdapter } from "./run-adapter.js";

/** Each is two runs of both programs. */
const MAX_ROUNDS = 10;

/**
 * The disagreement on the smallest record that was found to show it in the same way. Greedy: in each
 * round, of all reductions of one place those that keep the disagreement are made together, or as many
 * of them as go together. The record stays as it is where its text cannot be printed again.
 */
export async function shrinkDisagreement(
  first: Adapter,
  other: Adapter,
  disagreement: Disagreement,
): Promise<Disagreement> {
  let smallest = disagreement;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const value: unknown = JSON.parse(smallest.record.text);
    // A text such as 1e400 or with a key twice would be another one.
    if (JSON.stringify(value) !== smallest.record.text) return smallest;
    const reductions = listReductions(value);
    const test = (candidates: readonly unknown[]) => findSame(first, other, smallest, candidates);
    const kept = await test(reductions.map((reduce) => reduce(value)));
    const useful = reductions.filter((_, index) => kept[index] !== undefined);
    const together = await test(
      useful.map((_, index) => applyAll(useful.slice(0, index + 1), value)),
    );
    const best =
      together.findLast((each) => each !== undefined) ?? kept.find((each) => each !== undefined);
    if (best === undefined || best.record.text.length >= smallest.record.text.length)
      return smallest;
    smallest = best;
  }
  return smallest;
}

function applyAll(reductions: readonly Reduction[], value: unknown): unknown {
  return reductions.reduce((reduced, reduce) => reduce(reduced), value);
}

/** For each candidate the disagreement on it, undefined when there is none or another one. */
async function findSame(
  first: Adapter,
  other: Adapter,
  wanted: Disagreement,
  candidates: readonly unknown[],
): Promise<(Disagreement | undefined)[]> {
  if (candidates.length === 0) return [];
  const records: CorpusRecord[] = candidates.map((candidate) => ({
    ...wanted.record,
    text: JSON.stringify(candidate),
  }));
  const [left, right] = await Promise.all([runAdapter(first, records), runAdapter(other, records)]);
  return records.map((record, index) => {
    const [ours, theirs] = [left[index], right[index]];
    const difference = ours && theirs && compareVerdicts(ours, theirs);
    if (difference === undefined || !isSameWay(difference, wanted)) return undefined;
    if (findReasons(other.id, record, difference) !== undefined) return undefined;
    return { ...difference, adapter: wanted.adapter, record };
  });
}
