import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SeenHashes } from "./seen-hashes.js";

describe("SeenHashes", () => {
  test("behaves as a set for any hashes", () => {
    // Multiples of a large power of two map to the same slots.
    const hash = fc.oneof(
      fc.nat(20),
      fc.nat(2 ** 53 - 1),
      fc.nat(1000).map((n) => n * 2 ** 32),
    );
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 500 }), (hashes) => {
        const seen = new SeenHashes();
        const set = new Set<number>();
        for (const each of hashes) {
          expect(seen.add(each)).toBe(set.has(each));
          set.add(each);
        }
        expect(seen.size).toBe(set.size);
      }),
    );
  });

  test("grows beyond its initial size", () => {
    const seen = new SeenHashes();
    const count = 50_000;
    for (let hash = 0; hash < count; hash += 1) if (seen.add(hash * 7)) throw new Error("seen");
    for (let hash = 0; hash < count; hash += 1)
      if (!seen.add(hash * 7)) throw new Error("forgotten");
    expect(seen.size).toBe(count);
  });
});
