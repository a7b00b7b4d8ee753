import { expect, test } from "vitest";
import { exportRollouts } from "../export-rollouts.js";
import { selectSide } from "../selection.js";
import { createPair } from "../testing/create-pair.js";
import { createPreference } from "../testing/create-preference.js";
import { tinker } from "./tinker.js";

const FOUR = [{ role: "assistant", content: "four" }];
const NOTHING = [{ role: "assistant", content: "" }];

test("a pair is a labelled comparison, on the side drawn by the seed", () => {
  const found = new Set<string>();
  for (const seed of Array.from({ length: 20 }, (_, index) => index)) {
    const { comparison, label } = tinker.toPreference(createPreference(), { seed });
    const { completion_A, completion_B } = comparison;
    expect(label).toBe(selectSide(seed, "r-1"));
    expect([completion_A, completion_B]).toEqual(label === "A" ? [FOUR, NOTHING] : [NOTHING, FOUR]);
    found.add(label);
  }
  expect([...found].toSorted()).toEqual(["A", "B"]);
});

test("the arguments of every call are the JSON text of an object", () => {
  const { comparison } = tinker.toPreference(createPreference(), { seed: 0 });
  const calls = comparison.prompt_conversation.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(calls.map((call) => call.function.arguments)).toEqual([
    '{"a":2,"b":2}',
    '{"a":null}',
    String.raw`{"raw_arguments":"{\"a\": "}`,
  ]);
});

test("a draw depends neither on the order of the rollouts nor on their number", () => {
  const rollouts = Array.from({ length: 20 }, (_, index) =>
    Object.values(createPair()).map((branch) => ({ ...branch, rollout_id: `r-${index}` })),
  );
  const labelsOf = (branches: typeof rollouts) =>
    exportRollouts(branches.flat(), { target: "tinker", seed: 3 }).dpo.map(({ label }) => label);
  const labels = labelsOf(rollouts);
  expect(labelsOf(rollouts.toReversed()).toReversed()).toEqual(labels);
  expect(labelsOf(rollouts.slice(5))).toEqual(labels.slice(5));
  expect(new Set(labels).size).toBe(2);
});
