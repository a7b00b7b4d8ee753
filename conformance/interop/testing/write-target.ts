import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RolloutBranchRecord } from "#generated/index.js";
import { toJsonl } from "../../../src/base/json/print.js";
import { exportRollouts } from "../../../src/rollouts/wire/export/export-rollouts.js";
import type { Features } from "../../../src/rollouts/wire/export/features.js";
import { type TargetId, targets } from "../../../src/rollouts/wire/export/targets/index.js";
import { OUTPUT_KINDS, type OutputKind } from "../../../src/rollouts/wire/export/targets/target.js";

/** A file that a target wrote. */
export interface WrittenFile {
  readonly target: TargetId;
  readonly kind: OutputKind;
  readonly path: string;
  readonly features: Features;
  readonly records: readonly object[];
}

/** Exports branches to `<folder>/<target>/<kind>.jsonl`, for every kind that the target writes. */
export function writeTarget(
  target: TargetId,
  branches: readonly RolloutBranchRecord[],
  folder: string,
): WrittenFile[] {
  const exported = exportRollouts(branches, { target, exportedAtMs: 1_700_000_000_000 });
  mkdirSync(join(folder, target), { recursive: true });
  return OUTPUT_KINDS.flatMap((kind) => {
    const features = targets[target].features[kind];
    if (features === undefined) return [];
    const records: readonly object[] = exported[kind];
    const path = join(folder, target, `${kind}.jsonl`);
    writeFileSync(path, toJsonl(records));
    return [{ target, kind, path, features, records }];
  });
}
