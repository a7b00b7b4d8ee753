import { expect, test } from "vitest";
import { requireOneRollout } from "./require-one-rollout.js";

test("branches of one rollout pass", () => {
  expect(() => requireOneRollout([{ rollout_id: "a" }, { rollout_id: "a" }])).not.toThrow();
});

test("none, and those of several, are refused", () => {
  expect(() => requireOneRollout([])).toThrow(TypeError);
  expect(() => requireOneRollout([{ rollout_id: "a" }, { rollout_id: "b" }])).toThrow(
    new TypeError("branches of 2 rollouts (a, b): expected one"),
  );
});
