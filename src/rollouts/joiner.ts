import type { RolloutBranch } from "#generated/index.js";
import type { BuiltBlock } from "./build-block.js";
import type { RolloutBuilder } from "./builder.js";
import { type RolloutPlan, withBuilder } from "./builders.js";
import { groupById } from "./groups.js";
import { POSITION_WIDTH } from "./positions.js";
import { parseStored, type StoredLine } from "./reread.js";
import { RolloutSerializer, type SerializedRollouts } from "./serializer.js";

/** Hashes beyond which nobody remembers whether one was seen: 128 MB of them. */
export const MAX_SEEN = 2 ** 23;

const INITIAL_SLOTS = 2 ** 12;
const EMPTY = -1;

/** A set of hashes (whole numbers from 0) in 16 to 32 bytes each. (A `Set` takes 50, and ends at 2^24.) */
export class SeenHashes {
  #slots = new Float64Array(INITIAL_SLOTS).fill(EMPTY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Enters a hash; whether it was there already. */
  add(hash: number): boolean {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] === hash) return true;
    this.#slots[slot] = hash;
    this.#size += 1;
    if (2 * this.#size > this.#slots.length) this.#grow();
    return false;
  }

  #slotOf(hash: number): number {
    let slot = hash % this.#slots.length;
    while (this.#slots[slot] !== EMPTY && this.#slots[slot] !== hash) {
      slot = (slot + 1) % this.#slots.length;
    }
    return slot;
  }

  #grow(): void {
    const entered = this.#slots;
    this.#slots = new Float64Array(2 * entered.length).fill(EMPTY);
    for (const hash of entered) if (hash !== EMPTY) this.#slots[this.#slotOf(hash)] = hash;
  }
}

/** Joins rollouts across the borders of blocks, and notices when one comes back after another. */
export class BlockBoundaryJoiner {
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

  /** The rollout under way, if there is one: no more branches of it are to come. */
  *end(): Generator<SerializedRollouts> {
    const lines = this.#pending;
    this.#pending = [];
    if (lines.length === 0 || this.#isScattered) return;
    yield withBuilder(this.#plan.builder, (builder) => serialize(lines, builder, this.#plan));
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

function serialize<Branch extends RolloutBranch>(
  lines: readonly StoredLine[],
  builder: RolloutBuilder<Branch>,
  plan: RolloutPlan,
): SerializedRollouts {
  const serializer = new RolloutSerializer(builder, plan);
  for (const rollout of groupById(parseStored(lines, builder))) serializer.add(rollout);
  return serializer.take();
}
