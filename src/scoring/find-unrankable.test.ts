import { expect, test } from "vitest";
import { findUnrankable } from "./find-unrankable.js";
import { createCaptured } from "./testing/create-captured.js";

test("every branch without a score, with its place", () => {
  const branches = [
    createCaptured({ branch_index: 2, objective_score: 7 }),
    createCaptured({ branch_index: 1, objective_score: 1, judge_score: 3 }),
    createCaptured({ branch_index: 0 }),
  ];
  expect(findUnrankable(branches)).toEqual([
    {
      branchIndex: 2,
      id: "objective-score-range",
      pointer: "/objective_score",
      message: "must be 0 or 1, is 7",
    },
    { branchIndex: 0, id: "no-objective", pointer: "", message: expect.any(String) },
  ]);
});

test("a verifier may know more", () => {
  expect(findUnrankable([createCaptured()], () => "pass")).toEqual([]);
});
