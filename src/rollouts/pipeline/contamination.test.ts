import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeRows } from "../../base/files/row-log.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import type { EvalItem } from "../wire/decontamination/corpus.js";
import { createEvalIndex } from "../wire/decontamination/eval-index.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { Contamination } from "./contamination.js";
import { positionCodec } from "./positions.js";
import { LineReader } from "./reread.js";
import type { SerializedRollout } from "./serializer.js";
import { branchLines } from "./testing/branch-lines.js";

const dirty = "what is the capital of the land of the free";
const items = (count: number): EvalItem[] =>
  Array.from({ length: count }, (_, index) => {
    return { id: `e-${index}`, file: "eval", line: index + 1, text: `${index} ${dirty}` };
  });

let folder: TestFolder;
let reader: LineReader;
let findings: FindingList;
beforeEach(() => {
  folder = createTestFolder();
  reader = new LineReader(new Map([[0, { file: "a.jsonl", path: join(folder.path, "in") }]]));
  findings = new FindingList({ maxErrors: 1000 });
});
afterEach(() => {
  reader.close();
  folder.remove();
});

/** A file of one-branch rollouts, serialized. */
function rolloutsOf(tasks: readonly string[]): SerializedRollout[] {
  const branches = tasks.map((task, index) => createBranch({ rollout_id: `r-${index}`, task }));
  folder.write("in", branches.map((branch) => `${JSON.stringify(branch)}\n`).join(""));
  return branchLines(branches).map(({ branch, record, position }) => ({
    ...{
      id: branch.rollout_id,
      task: branch.task,
      given: [],
      file: record.file,
      position,
      branches: 1,
    },
    temperatures: [0.7, 0.7],
    ...{ ends: [], build: { records: [], omitted: [], unreadableToolEvents: 0, missingTools: 0 } },
  }));
}

function admit(contamination: Contamination, tasks: readonly string[]): boolean[] {
  return rolloutsOf(tasks).map((rollout) => {
    const positions = encodeRows([rollout.position], positionCodec);
    const checked = { rollout, parts: [], lines: { positions, reader } };
    return contamination.check(checked, findings).length === 0;
  });
}

test("a clean rollout passes; another is reported with the shared n-gram, line and column", () => {
  const contamination = new Contamination(createEvalIndex(items(1)), "error");
  expect(admit(contamination, ["a clean task", `so: ${dirty}?`])).toEqual([true, false]);
  expect(contamination.rollouts).toBe(1);
  expect([findings.errors, findings.warnings]).toEqual([1, 0]);
  const column = JSON.stringify(createBranch({ rollout_id: "r-1" })).indexOf('"What') + 1;
  expect(findings.toReport("export").findings).toMatchObject([
    { id: "g3", severity: "error", file: "a.jsonl", line: 2, column, pointer: "/task" },
  ]);
  expect(contamination.explained).toMatchObject([
    { rollout: "r-1", file: "a.jsonl", line: 2, items: 1, overlaps: [{ evalItem: { id: "e-0" } }] },
  ]);
});

describe("many overlaps", () => {
  test("those with the highest ratios are listed, the others counted", () => {
    const contamination = new Contamination(createEvalIndex(items(30)), "warning");
    admit(contamination, [`7 ${dirty}`]);
    const { findings: listed } = findings.toReport("export");
    expect(listed).toHaveLength(11);
    expect(listed[0]?.message).toContain('"e-7"');
    expect(listed.at(-1)?.message).toBe('rollout "r-0" has 20 more overlaps');
    expect([findings.errors, findings.warnings]).toEqual([0, 11]);
    expect(contamination.explained[0]).toMatchObject({ items: 30 });
    expect(contamination.explained[0]?.overlaps).toHaveLength(10);
  });

  test("of many rollouts only some are explained, but every one is rejected", () => {
    const contamination = new Contamination(createEvalIndex(items(1)), "error");
    const tasks = Array.from({ length: 103 }, () => dirty);
    expect(admit(contamination, tasks)).toEqual(tasks.map(() => false));
    expect([contamination.rollouts, contamination.explained.length]).toEqual([103, 100]);
    const { findings: listed } = findings.toReport("export");
    expect(listed).toHaveLength(103);
    expect(listed.at(-1)).toMatchObject({
      line: 103,
      column: 1,
      message: "shares an n-gram with the evaluation set",
    });
  });
});
