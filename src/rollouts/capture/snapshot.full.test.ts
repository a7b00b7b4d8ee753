import { expect, test } from "vitest";
import { toSnapshot } from "./snapshot.js";

test("control characters, printed with six characters each, still fit into one line", () => {
  const control = "\u0001".repeat(2 ** 27);
  const line = JSON.stringify({ a: toSnapshot(control) });
  expect(line).toMatch(/\[cut\]"\}$/);
});
