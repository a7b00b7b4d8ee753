import fc from "fast-check";
import { expect, test } from "vitest";
import { hashText } from "./hash-text.js";
import { COLLIDING_IDS } from "./testing/colliding-ids.js";

test("a whole number of 53 bits, the same for the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const hash = hashText(text);
      expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
      expect(hashText(`${text}`)).toBe(hash);
    }),
  );
});

test("ids that are alike have different hashes", () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `rollout-${index}`);
  expect(new Set(ids.map(hashText)).size).toBe(ids.length);
  expect(hashText("ab")).not.toBe(hashText("ba"));
  expect(hashText("")).not.toBe(hashText("\0"));
});

test("two ids with one hash exist: whoever relies on it must compare the ids too", () => {
  const [a, b] = COLLIDING_IDS;
  expect(a).not.toBe(b);
  expect(hashText(a)).toBe(hashText(b));
});
