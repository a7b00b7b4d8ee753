import { BLOCK_BYTES } from "../parallel/file-blocks.js";
import { type LinePosition, toRows } from "./line-position.js";
import type { RereadableInput } from "./line-reader.js";
import type { GroupsJob } from "./process-groups.js";
import type { RolloutPlan } from "./rollout-plan.js";

/** Rollouts that a thread builds at a time, at most. */
const GROUPS_PER_BATCH = 1024;

/** Jobs of about as many bytes as a block has. */
export async function* batchGroups(
  groups: Iterable<readonly LinePosition[]>,
  inputs: ReadonlyMap<number, RereadableInput>,
  plan: RolloutPlan,
): AsyncGenerator<GroupsJob> {
  let batch: LinePosition[] = [];
  let count = 0;
  let bytes = 0;
  const toJob = (): GroupsJob => ({ plan, inputs: pick(inputs, batch), positions: toRows(batch) });
  for (const group of groups) {
    for (const position of group) {
      batch.push(position);
      bytes += position.length;
    }
    count += 1;
    if (bytes < BLOCK_BYTES && count < GROUPS_PER_BATCH) continue;
    yield toJob();
    batch = [];
    count = 0;
    bytes = 0;
  }
  if (batch.length > 0) yield toJob();
}

/** Those of the inputs that the positions speak of. */
function pick(
  inputs: ReadonlyMap<number, RereadableInput>,
  positions: readonly LinePosition[],
): Map<number, RereadableInput> {
  const picked = new Map<number, RereadableInput>();
  for (const { input } of positions) {
    const found = inputs.get(input);
    if (found !== undefined) picked.set(input, found);
  }
  return picked;
}
