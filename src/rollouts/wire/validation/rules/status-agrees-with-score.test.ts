import { expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { statusAgreesWithScore } from "./status-agrees-with-score.js";

function check(status: unknown, score: unknown) {
  return statusAgreesWithScore.check(
    { ...createBranch(), objective_status: status, objective_score: score },
    "RolloutBranchRecord",
  );
}

test.each([
  ["pass", 0],
  ["fail", 1],
  ["unknown", 1],
])("%s beside %s", (status, score) => {
  const message = `is "${status}", but objective_score is ${score}`;
  expect(check(status, score)).toEqual([{ pointer: "/objective_status", message }]);
});

test("the two agree, or there is no status", () => {
  expect([check("pass", 1), check("fail", 0), check("unknown", 0)]).toEqual([[], [], []]);
  expect([check(undefined, 0), check(undefined, 1)]).toEqual([[], []]);
});

test("before ranking, objective_score is an open field and is not checked", () => {
  const branch = { ...createBranch(), objective_status: "pass", objective_score: 0 };
  expect(statusAgreesWithScore.check(branch, "RolloutBranch")).toEqual([]);
});
