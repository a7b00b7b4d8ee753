import { MAX_SEEN, SeenHashes } from "../../base/seen-hashes.js";
import type { BuiltBlock } from "./build-block.js";
import type { RolloutBuilder, RolloutPlan } from "./builder.js";
import { groupById } from "./groups.js";
import { positionCodec } from "./positions.js";
import { parseStored, type StoredLine } from "./reread.js";
import { RolloutSerializer, type SerializedRollouts } from "./serializer.js";

/** Joins rollouts that continue in the next block, and detects rollouts that reappear later. */
export class BlockBoundaryJoiner {
  readonly #plan: RolloutPlan;
  readonly #builder: RolloutBuilder;
  readonly #seen = new SeenHashes();
  #latest: number | undefined;
  #pending: StoredLine[] = [];
  #isScattered = false;

  constructor(plan: RolloutPlan, builder: RolloutBuilder) {
    this.#plan = plan;
    this.#builder = builder;
  }

  /** True if a rollout has reappeared, or if there are too many rollouts to tell. Then all rollouts must be rebuilt. */
  get isScattered(): boolean {
    return this.#isScattered;
  }

  /** Yields the rollouts that are now complete, in order. Yields none after a rollout has reappeared. */
  *join(block: BuiltBlock): Generator<SerializedRollouts> {
    this.#note(block.positions);
    if (this.#isScattered) return;
    const { head, tail, serialized } = block;
    if (!isSameRollout(this.#pending, head)) yield* this.end();
    this.#pending.push(...head);
    if (tail.length === 0) return;
    yield* this.end();
    yield serialized;
    this.#pending = [...tail];
  }

  /** Ends the current rollout, if there is one. */
  *end(): Generator<SerializedRollouts> {
    const lines = this.#pending;
    this.#pending = [];
    if (lines.length === 0 || this.#isScattered) return;
    const serializer = new RolloutSerializer(this.#builder, this.#plan);
    const { branches, lost } = parseStored(lines, this.#builder);
    for (const rollout of groupById(branches)) serializer.add(rollout, lost);
    yield serializer.take();
  }

  #note(positions: Float64Array): void {
    for (let index = 0; index < positions.length; index += positionCodec.width) {
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
