import { expect, test } from "vitest";
import { resolveExportOptions } from "../../../export/export-options.js";
import { targets } from "../../../export/targets/index.js";
import { createBranch } from "../../../export/testing/create-branch.js";
import { isJsonObject, type JsonObject } from "../../../json/value.js";
import { createExportBuilder } from "./export-builder.js";

const options = resolveExportOptions({ exportedAtMs: 0 });
const builder = createExportBuilder({ target: "wire", options });

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("not an object");
  return value;
}

test("reads ranked branches only", () => {
  expect(builder.type).toBe("RolloutBranchRecord");
  expect(builder.read(parse(JSON.stringify(createBranch())))).toEqual(createBranch());
  expect(builder.read(parse(JSON.stringify({ ...createBranch(), rank: 0 })))).toBeUndefined();
});

test("builds the target's records, in the order of its outputs", () => {
  const best = createBranch();
  const worst = createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" });
  expect(builder.outputs).toEqual(["dpo", "ppo"]);
  expect(builder.build([worst, best])).toEqual({
    outputs: [
      { records: [targets.wire.toDpo?.({ chosen: best, rejected: worst }, options)] },
      { records: [best, worst].map((branch) => targets.wire.toPpo?.(branch, options)) },
    ],
    unreadableToolEvents: 0,
  });
  expect(builder.build([best])).toMatchObject({ outputs: [{ omitted: "single-branch" }, {}] });
});

test("knows nothing of rollouts beyond the rules", () => {
  expect(builder.checkRollout([createBranch(), createBranch()])).toEqual([]);
});
