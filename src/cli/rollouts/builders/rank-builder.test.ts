import { expect, test } from "vitest";
import { rankScored } from "../../../scoring/rank-scored.js";
import { createCaptured } from "../../../scoring/testing/create-captured.js";
import { DEFAULT_WEIGHTS } from "../../../scoring/weights.js";
import { createRankBuilder } from "./rank-builder.js";

const builder = createRankBuilder({ weights: DEFAULT_WEIGHTS });
const branches = [0, 1].map((branch_index) =>
  createCaptured({ branch_index, objective_score: branch_index }),
);

test("ranks captured branches: one output, best first", () => {
  expect([builder.type, builder.outputs]).toEqual(["RolloutBranch", ["ranked"]]);
  const records = rankScored(branches, { weights: DEFAULT_WEIGHTS });
  expect(builder.build(branches)).toEqual({ outputs: [{ records }], unreadableToolEvents: 0 });
  expect(records.map(({ rank }) => rank)).toEqual([1, 2]);
});

test("a branch that cannot be scored", () => {
  const unscored = createCaptured({ branch_index: 2, objective_score: "yes" });
  expect(builder.checkRollout([...branches, unscored])).toMatchObject([
    { branch: 2, severity: "error", id: "objective-score-range", pointer: "/objective_score" },
  ]);
});
