import { expect, test } from "vitest";
import { byOtherHash } from "./by-other-hash.js";

test("rows of two ids that share a hash are told apart, each in its order", () => {
  const [a, b] = [{ otherHash: 1 }, { otherHash: 2 }];
  expect([...byOtherHash([a, b, a])]).toEqual([[a, a], [b]]);
  expect([...byOtherHash([a, a])]).toEqual([[a, a]]);
});
