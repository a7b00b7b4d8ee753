import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { toRecordLine } from "../../base/jsonl/reader.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { RolloutSerializer } from "./serializer.js";
import { branchLines } from "./testing/branch-lines.js";
import { exportPlan } from "./testing/export-plan.js";

test("a record that is too long to be a string is a fault of its rollout", () => {
  const long = "\u0001".repeat(Math.ceil(constants.MAX_STRING_LENGTH / 6));
  const serializer = new RolloutSerializer(
    {
      type: "RolloutBranchRecord",
      reader: { read: toRecordLine, bytesOf: () => undefined },
      outputs: ["first", "second"],
      read: () => undefined,
      checkRollout: () => [],
      build: ([branch]) => ({
        outputs: [{ records: [{}] }, { records: [branch?.rollout_id === "b" ? { long } : {}] }],
        unreadableToolEvents: 0,
        missingTools: 0,
      }),
    },
    exportPlan,
  );
  const branches = ["a", "b", "c"].map((rollout_id) => createBranch({ rollout_id }));
  for (const line of branchLines(branches)) serializer.add([line]);
  const { rollouts, tally } = serializer.take();
  expect(rollouts.map((rollout) => rollout.build?.records)).toEqual([[1, 1], undefined, [1, 1]]);
  expect(tally.findings).toMatchObject([{ id: "record-length", severity: "error", line: 2 }]);
});
