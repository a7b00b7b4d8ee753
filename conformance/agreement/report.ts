import { createFinding, type Finding, locateInText } from "../../src/base/findings/finding.js";
import { escapeControls, formatCount } from "../../src/base/text.js";
import type { CorpusRecord, Implementation } from "./adapter.js";
import {
  type Comparison,
  compareVerdicts,
  type Disagreement,
  describeVerdict,
  findReasons,
  groupDisagreements,
  isSameWay,
} from "./disagreements.js";
import { listReductions, type Reduction } from "./edits.js";
import { requestLine } from "./protocol.js";

/**
 * Number of kinds of difference for which the smallest record is searched; the others show their record
 * unreduced.
 */
const MAX_SHRUNK = 5;

/** Maximum length of a request that is shown whole, in UTF-16 code units. */
const MAX_SHOWN = 2_000;

/**
 * One finding for each kind of difference from the `first` implementation, with the smallest record found
 * that shows it.
 */
export async function reportDisagreements(
  first: Implementation,
  comparisons: readonly (Comparison & { readonly implementation: Implementation })[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { implementation, disagreements } of comparisons) {
    for (const [index, group] of groupDisagreements(disagreements).entries()) {
      const { sample, count } = group;
      const shown =
        index < MAX_SHRUNK ? await shrinkDisagreement(first, implementation, sample) : sample;
      findings.push(toFinding(first, shown, count));
    }
  }
  return findings;
}

function toFinding(first: Implementation, disagreement: Disagreement, count: number): Finding {
  const { adapter, record, left, right, leftOnly, rightOnly, isExact } = disagreement;
  const { type, text, source } = record;
  const [lone] = [...leftOnly, ...rightOnly];
  const pointer = lone?.pointer ?? "";
  const said = lone === undefined ? "" : ` (${lone.keyword})`;
  const others = count === 1 ? "" : `, as on ${formatCount(count - 1, "other record")}`;
  return createFinding({
    id: "agreement",
    file: source.file,
    pointer,
    position: locateInText(source.text, source.toFile(pointer)),
    message: `${adapter} and ${first.id} differ on ${source.origin}, as ${type}${said}${others}`,
    detail: [
      `${first.id}: ${describeVerdict(left, isExact)}`,
      `${adapter}: ${describeVerdict(right, isExact)}`,
      requestLine({ type, text }, 0).trimEnd(),
    ]
      .map((line) =>
        escapeControls(line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line),
      )
      .join("\n"),
  });
}

/** Maximum number of rounds; each runs both programs twice. */
const MAX_ROUNDS = 10;

/**
 * Reduces the record while the disagreement stays the same. Greedy: each round tries all reductions of one
 * place, and then combines as many of the successful ones as possible. A record whose text cannot be
 * reprinted is not reduced.
 */
export async function shrinkDisagreement(
  first: Implementation,
  other: Implementation,
  disagreement: Disagreement,
): Promise<Disagreement> {
  let smallest = disagreement;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const value: unknown = JSON.parse(smallest.record.text);
    // Texts such as 1e400, or with a repeated key, would change.
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

/** The disagreement on each candidate; undefined if there is none, or a different one. */
async function findSame(
  first: Implementation,
  other: Implementation,
  wanted: Disagreement,
  candidates: readonly unknown[],
): Promise<(Disagreement | undefined)[]> {
  if (candidates.length === 0) return [];
  const records: CorpusRecord[] = candidates.map((candidate) => ({
    ...wanted.record,
    text: JSON.stringify(candidate),
  }));
  const [left, right] = await Promise.all([first.judge(records), other.judge(records)]);
  return records.map((record, index) => {
    const [ours, theirs] = [left[index], right[index]];
    const difference = ours && theirs && compareVerdicts(ours, theirs, wanted.isExact);
    if (difference === undefined || !isSameWay(difference, wanted)) return undefined;
    if (findReasons(other.id, record, difference) !== undefined) return undefined;
    return { ...difference, adapter: wanted.adapter, record };
  });
}
