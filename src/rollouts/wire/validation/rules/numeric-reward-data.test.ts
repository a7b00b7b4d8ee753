import { expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { numericRewardData } from "./numeric-reward-data.js";

function check(reward_data: object): string[] {
  return numericRewardData
    .check({ reward_data }, "RolloutTraceStep")
    .map(({ pointer, message }) => `${pointer} ${message}`);
}

test.each(["1", "-0.5", " 1 ", "True", "NaN", "50%", "$1,000.5", "1/2", "0x1f", "0.5 ± 0.1"])(
  "%j is a number or boolean stored as a string",
  (text) => {
    const shown = JSON.stringify(text);
    expect(check({ format: 1, total: text })).toEqual([
      `/reward_data/total a number or boolean stored as a string: ${shown}`,
    ]);
  },
);

test.each([1, true, null, "", "gold", "1st", "1.2.3", "2024-01-02"])("%j is accepted", (value) => {
  expect(check({ value })).toEqual([]);
});

test("nested values, in document order, at any depth", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}"1"${"]".repeat(100_000)}`);
  expect(check({ a: ["1", { "b/c": "2" }], d: "3" }).map((each) => each.split(" ")[0])).toEqual([
    "/reward_data/a/0",
    "/reward_data/a/1/b~1c",
    "/reward_data/d",
  ]);
  expect(check({ deep })).toHaveLength(1);
});

test("in the steps of a branch", () => {
  const steps = [{}, { reward_data: { total: "1" } }];
  const branch = { ...createBranch(), steps };
  expect(numericRewardData.check(branch, "RolloutBranchRecord")).toMatchObject([
    { pointer: "/steps/1/reward_data/total" },
  ]);
  expect(numericRewardData.check({ ...createBranch() }, "RolloutBranch")).toEqual([]);
});
