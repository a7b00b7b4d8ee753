import { join } from "node:path";
import type { AdapterVerdict } from "#generated/index.js";
import { createFinding, type Finding } from "../../src/base/findings/finding.js";
import { UserError } from "../../src/base/user-error.js";
import type { CheckOutcome, ThingCount } from "../check.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import type { Workspace } from "../workspace.js";
import type { Adapter, CorpusRecord } from "./adapter.js";
import { type CorpusSize, createCorpus } from "./corpus.js";
import { type Comparison, findDisagreements } from "./disagreements.js";
import { knownDifferences } from "./known-differences.js";
import { reportDisagreements } from "./report.js";
import { runAdapter } from "./run-adapter.js";

/** Minimum number of records that every implementation validates. */
const SIZE: CorpusSize = { records: 20_000, withManyChanges: 2_000 };

/** Any number works, but it must stay the same, so that a failing run can be repeated. */
const SEED = 20_261_121;

export interface AgreementOptions {
  readonly size?: CorpusSize | undefined;
}

/**
 * Validates the corpus with the implementations of the checkout at `root` and with the `foreign` ones, all in
 * parallel, and compares each one with the first.
 *
 * An implementation that fails is a finding, and does not count as compared.
 */
export async function measureAgreement(
  workspace: Workspace,
  foreign: readonly Adapter[],
  { size = SIZE }: AgreementOptions = {},
): Promise<CheckOutcome> {
  const own = createOwnAdapters(workspace.root);
  const { records, leftOut } = createCorpus(workspace, size, SEED);
  const adapters = [...own, ...foreign];
  const runs = await Promise.all(adapters.map((adapter) => runOne(adapter, records)));
  const checked = runs.flatMap((run) => ("verdicts" in run ? [run] : []));
  const [first, ...others] = checked;
  const comparisons = others.map(({ adapter, verdicts }) => ({
    adapter,
    ...findDisagreements(adapter.id, records, first?.verdicts ?? [], verdicts),
  }));
  return {
    checked: [
      ...countThings(records.length, checked.length, comparisons),
      ...listPositive([{ count: leftOut, thing: "unsendable fixture" }]),
    ],
    findings: [
      ...runs.flatMap((run) => ("failure" in run ? [run.failure] : [])),
      ...(first === undefined ? [] : await reportDisagreements(first.adapter, comparisons)),
      ...findUnusedDifferences(comparisons),
    ],
  };
}

async function runOne(
  adapter: Adapter,
  records: readonly CorpusRecord[],
): Promise<{ adapter: Adapter; verdicts: readonly AdapterVerdict[] } | { failure: Finding }> {
  try {
    return { adapter, verdicts: await runAdapter(adapter, records) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { file } = adapter;
    return { failure: createFinding({ id: "adapter", file, message: error.message }) };
  }
}

/** If only one implementation is left, nothing is compared, and no record counts as checked. */
function countThings(
  records: number,
  implementations: number,
  comparisons: readonly Comparison[],
): ThingCount[] {
  const sum = (count: (comparison: Comparison) => number): number =>
    comparisons.reduce((total, comparison) => total + count(comparison), 0);
  const optional = [
    { count: sum(({ known }) => known), thing: "known difference" },
    { count: sum(({ verdictsAlone }) => verdictsAlone), thing: "verdict-only record" },
  ];
  return [
    { count: implementations > 1 ? records : 0, thing: "record" },
    { count: implementations, thing: "implementation" },
    ...listPositive(optional),
  ];
}

/** Omits zero counts. */
function listPositive(counts: readonly ThingCount[]): ThingCount[] {
  return counts.filter(({ count }) => count > 0);
}

/** Known differences that did not occur in a whole run: the implementation agrees by now. */
export function findUnusedDifferences(
  comparisons: readonly (Comparison & { readonly adapter: Adapter })[],
): Finding[] {
  return comparisons.flatMap(({ adapter, used }) =>
    knownDifferences
      .filter((known) => known.adapter === adapter.id && !used.has(known))
      .map(({ id }) =>
        createFinding({
          id: "known-difference",
          file: "conformance/agreement/known-differences.ts",
          message: `${adapter.id} no longer differs in ${id}: remove the exception`,
        }),
      ),
  );
}

/** Folder of the adapter programs, from the repository's root. */
const FOLDER = "conformance/agreement/adapters";

/**
 * The five implementations of the checkout at `root`: the three generated ones, and two referees that read the
 * schemas themselves. The first one is the reference for the others.
 *
 * Throws UserError if the referees cannot be installed.
 */
export function createOwnAdapters(root: string): readonly [Adapter, ...Adapter[]] {
  const python = ensurePythonEnv(root, DEV_TOOLS);
  const create = (id: string, command: string, name: string, processes = 1): Adapter => {
    const file = `${FOLDER}/${name}`;
    const env = { PYTHONDONTWRITEBYTECODE: "1" };
    return { id, command, args: [join(root, file)], env, file, processes };
  };
  return [
    create("typescript", process.execPath, "typescript.mjs"),
    create("python", python, "python.py"),
    create("pydantic", python, "python_models.py"),
    // It takes longer than all others together, so it gets both cores of a small machine.
    create("jsonschema", python, "referee_jsonschema.py", 2),
    create("jsonschema-rs", python, "referee_jsonschema_rs.py"),
  ];
}
