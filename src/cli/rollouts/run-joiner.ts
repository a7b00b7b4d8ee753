import type { RolloutBranch } from "#generated/index.js";
import { parseStored, type StoredLine } from "./branch-line.js";
import { withBuilder } from "./builders/with-builder.js";
import { groupById } from "./group-by-id.js";
import { POSITION_WIDTH } from "./line-position.js";
import type { ProcessedBlock } from "./process-block.js";
import type { RolloutBuilder } from "./rollout-builder.js";
import { type PackedRollouts, RolloutPacker } from "./rollout-packer.js";
import type { RolloutPlan } from "./rollout-plan.js";
import { MAX_SEEN, SeenHashes } from "./seen-hashes.js";

/** Joins rollouts across the borders of blocks, and notices when one comes back after another. */
export class RunJoiner {
  readonly #plan: RolloutPlan;
  readonly #seen = new SeenHashes();
  #latest: number | undefined;
  #pending: StoredLine[] = [];
  #isScattered = false;

  constructor(plan: RolloutPlan) {
    this.#plan = plan;
  }

  /** Whether a rollout came back, or there are too many to tell: what was built is not to be trusted. */
  get isScattered(): boolean {
    return this.#isScattered;
  }

  /** The rollouts that are complete now, in order; none once one has come back. */
  *join(block: ProcessedBlock): Generator<PackedRollouts> {
    this.#note(block.positions);
    if (this.#isScattered) return;
    const { head, tail, packed } = block;
    if (!isSameRollout(this.#pending, head)) yield* this.end();
    this.#pending.push(...head);
    if (tail.length === 0) return;
    yield* this.end();
    yield packed;
    this.#pending = [...tail];
  }

  /** The rollout under way, if there is one: no more branches of it are to come. */
  *end(): Generator<PackedRollouts> {
    const lines = this.#pending;
    this.#pending = [];
    if (lines.length === 0 || this.#isScattered) return;
    yield withBuilder(this.#plan.builder, (builder) => pack(lines, builder, this.#plan));
  }

  #note(positions: Float64Array): void {
    for (let index = 0; index < positions.length; index += POSITION_WIDTH) {
      const hash = positions[index] ?? 0;
      if (hash === this.#latest) continue;
      this.#latest = hash;
      if (this.#seen.add(hash) || this.#seen.size >= MAX_SEEN) {
        this.#isScattered = true;
        return;
      }
    }
  }
}

function isSameRollout([a]: readonly StoredLine[], [b]: readonly StoredLine[]): boolean {
  return a === undefined || b === undefined || a.position.hash === b.position.hash;
}

function pack<Branch extends RolloutBranch>(
  lines: readonly StoredLine[],
  builder: RolloutBuilder<Branch>,
  plan: RolloutPlan,
): PackedRollouts {
  const packer = new RolloutPacker(builder, plan);
  for (const rollout of groupById(parseStored(lines, builder))) packer.add(rollout);
  return packer.take();
}
