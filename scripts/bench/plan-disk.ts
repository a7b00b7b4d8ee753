import { statfsSync } from "node:fs";
import { formatBytes } from "../../src/text.js";
import { UserError } from "../../src/user-error.js";
import { type InputId, inputKinds } from "./inputs/index.js";

/**
 * What the programs write at a time, per byte of their largest input: the records of both sides of a
 * race, and the temporary files of an export of scattered rollouts.
 */
const OUTPUT_SHARE = 3;

export interface DiskPlan {
  readonly needed: number;
  readonly free: number;
}

/** Bytes that a benchmark on these inputs takes in `folder`, at most, and how many are free there. */
export function planDisk(folder: string, inputs: readonly InputId[], branches: number): DiskPlan {
  const sizes = inputs.map((id) => inputKinds[id].estimateBytes(branches));
  const needed = sizes.reduce((sum, size) => sum + size, 0) + OUTPUT_SHARE * Math.max(0, ...sizes);
  const { bavail, bsize } = statfsSync(folder);
  return { needed, free: bavail * bsize };
}

/** Throws UserError when there is too little room. */
export function requireDisk({ needed, free }: DiskPlan, folder: string): void {
  if (needed <= free) return;
  throw new UserError(
    `${folder} has ${formatBytes(free)} free, and the inputs need ${formatBytes(needed)}: TMPDIR names another place, --branches fewer`,
  );
}
