/** Maximum number of remembered hashes: 128 MB. */
export const MAX_SEEN = 2 ** 23;

const INITIAL_SLOTS = 2 ** 12;
const EMPTY = -1;

/**
 * A set of hashes (non-negative integers), 16 to 32 bytes each. A `Set` takes 50 bytes each, and at most 2^24
 * elements.
 */
export class SeenHashes {
  #slots = new Float64Array(INITIAL_SLOTS).fill(EMPTY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a hash. Returns whether it was already in the set. */
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
