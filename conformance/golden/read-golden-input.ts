import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import { groupByRollout } from "../../src/export/selection.js";
import type { Finding } from "../../src/findings/finding.js";
import { FindingList } from "../../src/findings/finding-list.js";
import type { ParsedRecord } from "../../src/jsonl/reader.js";
import { readRecords } from "../../src/jsonl/reader.js";
import { findUnrankable } from "../../src/scoring/rank.js";
import { addNoRecords } from "../../src/validation/check-block.js";
import { checkRecord, checkRollout } from "../../src/validation/check-record.js";
import { toFileSource } from "./to-file-source.js";

/** The branches of each rollout, in order of first appearance, or why they cannot be used. */
export type GoldenInput =
  | { readonly rollouts: readonly (readonly RolloutBranch[])[] }
  | { readonly findings: readonly Finding[] };

/**
 * Reads the rollouts of a golden run, a file from `root`. What `rank` or `export` would refuse is a
 * finding: their outputs are compared, not their refusals. Throws UserError when it cannot be read.
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
          { id: "type", severity: "error", pointer: "", message: "is no branch" },
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
  addNoRecords(findings, [file]);
  const errors = findings
    .toReport("golden")
    .findings.filter(({ severity }) => severity === "error");
  return errors.length > 0 ? { findings: errors } : { rollouts };
}
