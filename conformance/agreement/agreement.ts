import type { AdapterVerdict } from "#generated/index.js";
import { createFinding, type Finding } from "../../src/base/findings/finding.js";
import { UserError } from "../../src/base/user-error.js";
import type { CheckOutcome, ThingCount } from "../check.js";
import type { Workspace } from "../workspace.js";
import type { Adapter, CorpusRecord, Implementation } from "./adapter.js";
import { type CorpusSize, createCorpus } from "./corpus.js";
import { type Comparison, findDisagreements } from "./disagreements.js";
import { openImplementations } from "./implementations.js";
import { readOriginals } from "./originals.js";
import { reportDisagreements } from "./report.js";

/** Records that every implementation judges: of all places of a few schemas, and of some places of large ones. */
const SIZE: CorpusSize = { withManyChanges: 2_000, places: 1_000 };

/** Any number works, but it must stay the same, so that a failing run can be repeated. */
const SEED = 20_261_121;

export interface AgreementOptions {
  readonly size?: CorpusSize | undefined;
  readonly seed?: number | undefined;
}

/**
 * Has the implementations of a repository, and the `foreign` ones, judge the same records, all in parallel, and compares each
 * one with the first.
 *
 * An implementation that fails is a finding, and does not count as compared. Throws as `readOriginals` and
 * `openImplementations` do.
 */
export async function measureAgreement(
  workspace: Workspace,
  foreign: readonly Adapter[],
  { size = SIZE, seed = SEED }: AgreementOptions = {},
): Promise<CheckOutcome> {
  const originals = await readOriginals(workspace);
  const records = createCorpus(originals, size, seed);
  const { list, missing, remove } = openImplementations(workspace, originals.linked, foreign);
  try {
    const runs = await Promise.all(list.map((each) => runOne(each, records)));
    const checked = runs.flatMap((run) => ("verdicts" in run ? [run] : []));
    const [first, ...others] = checked;
    const comparisons = others.map(({ implementation, verdicts }) => ({
      implementation,
      ...findDisagreements(
        implementation.id,
        records,
        first?.verdicts ?? [],
        verdicts,
        implementation.isGenerated && first?.implementation.isGenerated,
      ),
    }));
    return {
      checked: [
        ...countThings(
          records.length,
          checked.map(({ implementation }) => implementation.id),
          comparisons,
        ),
        ...listPositive([{ count: originals.leftOut, thing: "unsendable fixture" }]),
      ],
      notes: missing.map((each) => `without the referee ${each}`),
      findings: [
        ...runs.flatMap((run) => ("failure" in run ? [run.failure] : [])),
        ...(first === undefined
          ? []
          : await reportDisagreements(first.implementation, comparisons)),
      ],
    };
  } finally {
    remove();
  }
}

async function runOne(
  implementation: Implementation,
  records: readonly CorpusRecord[],
): Promise<
  { implementation: Implementation; verdicts: readonly AdapterVerdict[] } | { failure: Finding }
> {
  try {
    return { implementation, verdicts: await implementation.judge(records) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { file } = implementation;
    return { failure: createFinding({ id: "adapter", file, message: error.message }) };
  }
}

/** If only one implementation is left, nothing is compared, and no record counts as checked. */
function countThings(
  records: number,
  implementations: readonly string[],
  comparisons: readonly Comparison[],
): ThingCount[] {
  const sum = (count: (comparison: Comparison) => number): number =>
    comparisons.reduce((total, comparison) => total + count(comparison), 0);
  const optional = [
    { count: sum(({ known }) => known), thing: "known difference" },
    { count: sum(({ verdictsAlone }) => verdictsAlone), thing: "verdict-only record" },
  ];
  return [
    { count: implementations.length > 1 ? records : 0, thing: "record" },
    {
      count: implementations.length,
      thing: "implementation",
      ...(implementations.length > 0 && { names: implementations }),
    },
    ...listPositive(optional),
  ];
}

/** Omits zero counts. */
function listPositive(counts: readonly ThingCount[]): ThingCount[] {
  return counts.filter(({ count }) => count > 0);
}
