import type { RolloutBranch } from "#generated/index.js";
import type { Moved } from "../../jsonl/buffer-pool.js";
import { adjacentGroups } from "./adjacent-groups.js";
import { parseStored } from "./branch-line.js";
import { withBuilder } from "./builders/with-builder.js";
import { groupById } from "./group-by-id.js";
import { toPositions } from "./line-position.js";
import { LineReader, type RereadableInput } from "./line-reader.js";
import type { RolloutBuilder } from "./rollout-builder.js";
import { type PackedRollouts, RolloutPacker } from "./rollout-packer.js";
import type { RolloutPlan } from "./rollout-plan.js";

export interface GroupsJob {
  readonly plan: RolloutPlan;
  /** The inputs that the positions speak of, by their index. */
  readonly inputs: ReadonlyMap<number, RereadableInput>;
  /** Rows of positions; those with the same hash stand next to each other, in the order of the input. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Memory for what is built; it moves. */
  readonly spare?: readonly ArrayBuffer[];
}

export interface ProcessedGroups extends PackedRollouts, Moved {}

/**
 * Reads the lines of rollouts again and builds them. Throws UserError (exit 3) when an input cannot be
 * read, or holds other lines than before.
 */
export function processGroups(job: GroupsJob): ProcessedGroups {
  return withBuilder(job.plan.builder, (builder) => processWith(builder, job));
}

function processWith<Branch extends RolloutBranch>(
  builder: RolloutBuilder<Branch>,
  { plan, inputs, positions, spare: given = [] }: GroupsJob,
): ProcessedGroups {
  const spare = [...given];
  const packer = new RolloutPacker(builder, plan, spare);
  const reader = new LineReader(inputs);
  try {
    for (const group of adjacentGroups(toPositions(positions))) {
      const stored = group.map((position) => reader.read(position));
      for (const rollout of groupById(parseStored(stored, builder))) packer.add(rollout);
    }
  } finally {
    reader.close();
  }
  const packed = packer.take();
  return { ...packed, buffers: [...packed.outputs.map(({ buffer }) => buffer), ...spare] };
}
