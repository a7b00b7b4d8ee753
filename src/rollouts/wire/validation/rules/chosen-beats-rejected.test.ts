import { expect, test } from "vitest";
import type { ObjectiveScore } from "#generated/index.js";
import { toDpoRecord } from "../../export/flat-records.js";
import { createPair } from "../../export/testing/create-pair.js";
import { chosenBeatsRejected } from "./chosen-beats-rejected.js";

const { chosen: best, rejected: worst } = createPair();
const record = toDpoRecord([best, worst], { exportedAtMs: 0 });

function check(chosen: ObjectiveScore, rejected: ObjectiveScore, type = "DpoRecord" as const) {
  const provenance = { ...record?.provenance, objective_score: { chosen, rejected } };
  return chosenBeatsRejected.check({ ...record, provenance }, type);
}

test("an inverted pair", () => {
  expect(check(0, 1)).toEqual([
    {
      pointer: "/provenance/objective_score/chosen",
      message: "the chosen side's objective score is 0, the rejected side's 1",
    },
  ]);
});

test("a better chosen side, and equal scores", () => {
  expect([check(1, 0), check(0, 0), check(1, 1)]).toEqual([[], [], []]);
});

test("other types have no sides", () => {
  expect(chosenBeatsRejected.check({ ...record }, "PpoRecord")).toEqual([]);
});
