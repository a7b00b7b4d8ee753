import { expect, test } from "vitest";
import { selectSide } from "./select-side.js";

const ids = Array.from({ length: 1000 }, (_, index) => `r-${index}`);

test("the draw is of seed and rollout alone", () => {
  // Of printf '0\nr-1' | sha256sum, and so on, the first bytes are f7, 8e, d7 and ac.
  expect(["r-1", "r-2", "r-3", "r-4"].map((id) => selectSide(0, id))).toEqual(["B", "A", "B", "A"]);
});

test("both sides are drawn about as often, and another seed draws otherwise", () => {
  const sides = ids.map((id) => selectSide(7, id));
  const first = sides.filter((side) => side === "A").length;
  expect(Math.abs(first - 500)).toBeLessThan(100);
  const same = ids.filter((id, index) => selectSide(8, id) === sides[index]).length;
  expect(Math.abs(same - 500)).toBeLessThan(100);
});
