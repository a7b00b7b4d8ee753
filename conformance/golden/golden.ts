import { dirname, join } from "node:path";
import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import { withStaging } from "../../src/base/files/staging.js";
import { createFinding, type Finding } from "../../src/base/findings/finding.js";
import { FindingList } from "../../src/base/findings/finding-list.js";
import { readRecords } from "../../src/base/jsonl/read-records.js";
import type { ParsedRecord } from "../../src/base/jsonl/record-line.js";
import { UserError } from "../../src/base/user-error.js";
import { readEvalItems } from "../../src/rollouts/pipeline/decontamination/eval-items.js";
import { createEvalIndex } from "../../src/rollouts/wire/decontamination/eval-index.js";
import { groupByRollout } from "../../src/rollouts/wire/export/selection.js";
import { findUnrankable } from "../../src/rollouts/wire/scoring/rank.js";
import { checkRecord, checkRollout } from "../../src/rollouts/wire/validation/check-record.js";
import type { Workspace } from "../workspace.js";
import { compareGolden } from "./compare.js";
import {
  type GoldenResult,
  type GoldenRun,
  type GoldenUnit,
  listGolden,
  toFileSource,
} from "./files.js";
import { createGoldenOutputs } from "./outputs.js";
import { listPrograms } from "./programs.js";

/** All golden outputs of a repository: of the commands that it names, and in ours of its golden runs. */
export function listUnits({ root, isOurs, golden }: Workspace): GoldenUnit[] {
  const { runs } = isOurs ? listGolden(root) : { runs: [] };
  const ours = runs.map((each) => ({ outputs: each.outputs, run: () => runGolden(root, each) }));
  return [...ours, ...listPrograms(root, golden)];
}

/** Creates the outputs of a golden run below `root` in memory. Unusable inputs are findings. */
export async function runGolden(root: string, run: GoldenRun): Promise<GoldenResult> {
  const { folder, input, evalItems } = run;
  let reading = input;
  try {
    const read = await readGoldenInput(root, input);
    if ("findings" in read) return read;
    reading = evalItems ?? input;
    const items = evalItems && (await readEvalItems(evalItems, {}, toFileSource(root)));
    const outputs = createGoldenOutputs(read.rollouts, items ? createEvalIndex(items) : undefined);
    return { made: new Map([...outputs].map(([name, text]) => [`${folder}/${name}`, text])) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {
      findings: [createFinding({ id: "unreadable", file: reading, message: error.message })],
    };
  }
}

/** The branches of each rollout, in order of first appearance; or findings, if they are unusable. */
export type GoldenInput =
  | { readonly rollouts: readonly (readonly RolloutBranch[])[] }
  | { readonly findings: readonly Finding[] };

/**
 * Reads the rollouts of a golden run from `file`, a path from `root`. Rollouts that `rank` or `export` would
 * reject are findings, because a golden run compares outputs. Throws UserError if the file cannot be read.
 */
export async function readGoldenInput(root: string, file: string): Promise<GoldenInput> {
  const findings = new FindingList({ maxErrors: Number.POSITIVE_INFINITY });
  const lines = new Map<RolloutBranch, ParsedRecord>();
  for await (const batch of readRecords([file], toFileSource(root))) {
    for (const line of batch) {
      findings.addChecked(line, checkRecord(line));
      if ("fault" in line) continue;
      if (isRolloutBranch(line.value)) lines.set(line.value, line);
      else
        findings.add(line, [
          { id: "type", severity: "error", pointer: "", message: "is not a branch" },
        ]);
    }
  }
  const rollouts = [...groupByRollout(lines.keys()).values()];
  for (const branches of rollouts) {
    const faults = [
      ...checkRollout(branches),
      ...branches.flatMap((each, branch) =>
        findUnrankable([each]).map((fault) => ({ branch, severity: "error" as const, ...fault })),
      ),
    ];
    for (const { branch, id, severity, pointer, message } of faults) {
      const at = branches[branch];
      const line = at && lines.get(at);
      if (line !== undefined) findings.add(line, [{ id, severity, pointer, message }]);
    }
  }
  findings.addNoRecords([file]);
  const errors = findings
    .toReport("golden")
    .findings.filter(({ severity }) => severity === "error");
  return errors.length > 0 ? { findings: errors } : { rollouts };
}

export interface GoldenUpdate {
  /** The outputs that changed; or, if nothing was written, why they cannot be made. */
  readonly findings: readonly Finding[];
  /** Number of outputs. */
  readonly outputs: number;
  readonly isWritten: boolean;
}

/**
 * Rewrites all golden outputs, and removes obsolete ones: all, or if any cannot be made, none. Throws UserError (exit 3) if
 * a file cannot be written.
 */
export async function updateGolden(workspace: Workspace): Promise<GoldenUpdate> {
  const { root } = workspace;
  const changes: Finding[] = [];
  const faults: Finding[] = [];
  const all = new Map<string, string | Uint8Array>();
  const committed: string[] = [];
  for (const { outputs, run } of listUnits(workspace)) {
    committed.push(...outputs);
    const result = await run();
    if ("findings" in result) faults.push(...result.findings);
    else {
      for (const [file, text] of result.made) all.set(file, text);
      changes.push(...compareGolden(root, outputs, result.made));
    }
  }
  if (faults.length > 0) return { findings: faults, outputs: 0, isWritten: false };
  const changed = new Set(changes.map(({ file }) => file));
  await withStaging({}, async (staging) => {
    for (const [file, text] of all) {
      if (!changed.has(file)) continue;
      staging.makeFolders([dirname(join(root, file))]);
      await staging.write(join(root, file), [text]);
    }
    for (const file of committed) if (!all.has(file)) await staging.remove(join(root, file));
    await staging.commit();
  });
  return { findings: changes, outputs: all.size, isWritten: true };
}
