import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "./base/package.js";
import {
  allPass,
  buildPasses,
  type EvalItemOptions,
  type ExportRolloutsOptions,
  exportRollouts,
  type FaultyLine,
  findUnrankable,
  type G3Options,
  inferEntryType,
  isRolloutBranchRecord,
  type Judge,
  type ObjectiveVerifier,
  type ParsedRecord,
  type RankedRollout,
  type RolloutBranchRecord,
  rankBranches,
  rankScored,
  readEvalItems,
  readRecords,
  type TargetId,
  toJsonl,
  type UnreadableToolEvent,
  validateG3,
} from "./index.js";
import { type PairSelection, selectPair } from "./rollouts/wire/export/index.js";
import { createBranch } from "./rollouts/wire/export/testing/create-branch.js";
import { createCaptured } from "./rollouts/wire/scoring/testing/create-captured.js";

let file = "";
let evalFile = "";
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-library-"));
  file = join(folder, "rollouts.jsonl");
  evalFile = join(folder, "eval.jsonl");
  const branches = [
    createBranch({ tool_call_sequence: [{}] }),
    createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" }),
  ];
  writeFileSync(file, `${toJsonl(branches)}NaN\n{"completion": ""}\n`);
  writeFileSync(evalFile, '{"body": "what is 2+2"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a user of the library writes to read a file. */
async function read(): Promise<{ branches: RolloutBranchRecord[]; rest: string[] }> {
  const branches: RolloutBranchRecord[] = [];
  const rest: string[] = [];
  const describeFault = ({ line, fault }: FaultyLine) => `${line}: ${fault.message}`;
  const describeOther = ({ line, value }: ParsedRecord) => `${line}: ${inferEntryType(value)}`;
  for await (const lines of readRecords(file)) {
    for (const line of lines) {
      if ("fault" in line) rest.push(describeFault(line));
      else if (isRolloutBranchRecord(line.value)) branches.push(line.value);
      else rest.push(describeOther(line));
    }
  }
  return { branches, rest };
}

test("records are read together with the findings on their lines", async () => {
  const { branches, rest } = await read();
  expect(branches.map(({ final_answer }) => final_answer)).toEqual(["four", "5"]);
  expect(rest).toEqual(["3: not JSON: unexpected NaN", "4: PpoRecord"]);
});

test("records are exported, and every type involved has an exported name", async () => {
  const { branches } = await read();
  const target: TargetId = "training";
  const options: ExportRolloutsOptions<"training"> = { target, exportedAtMs: 0 };
  const { dpo, unreadableToolEvents } = exportRollouts(branches, options);
  const selection: PairSelection = selectPair(branches);
  const [event]: readonly UnreadableToolEvent[] = unreadableToolEvents;
  expect([dpo.length, selection.pair?.chosen.branch_index, event?.eventIndex]).toEqual([1, 0, 0]);
});

test("their tasks are compared with an evaluation set", async () => {
  const { branches } = await read();
  const options: EvalItemOptions & G3Options = { field: "body", n: 3 };
  const items = await readEvalItems(evalFile, options);
  const tasks = branches.map(({ task }, index) => ({ id: `${index}`, text: task }));
  expect(validateG3(tasks, items, options).map(({ task }) => task)).toEqual(["0", "1"]);
});

test("captured branches are ranked, with and without a judge", async () => {
  const answers: ObjectiveVerifier = ({ final_answer }) => (final_answer === "" ? "fail" : "pass");
  const verifier = allPass([buildPasses, answers]);
  const judge: Judge = async ({ final_answer }) => final_answer.length;
  const branches = ["4", "four", "five"].map((final_answer, branch_index) =>
    createCaptured({ branch_index, final_answer, build_result: { ok: branch_index < 2 } }),
  );
  expect(findUnrankable(branches, verifier)).toEqual([]);
  const unjudged = rankScored(branches, { verifier });
  expect(unjudged.map(({ total_score }) => total_score)).toEqual([1.15, 1.15, 0.15]);
  const ranked: RankedRollout = await rankBranches(branches, { verifier, judge });
  const { pair } = selectPair(ranked.branches);
  expect([pair?.chosen.final_answer, pair?.rejected.final_answer]).toEqual(["four", "five"]);
});

test("each value is exported by one module of the package", async () => {
  const { exports } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
  const modules = Object.entries<{ readonly default?: string }>(exports).flatMap(
    ([path, { default: file }]) => (file === undefined ? [] : [[path, file] as const]),
  );
  const names = await Promise.all(
    modules.map(async ([path, file]) => {
      const source = file.replace(/^\.\/dist\/(.*)\.js$/, "./$1.ts");
      return [path, Object.keys(await import(join(packageRoot(), source)))] as const;
    }),
  );
  const all = names.flatMap(([, own]) => own);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  const counts = names.map(([path, own]) => [path, own.length]);
  expect(Object.fromEntries(counts)).toMatchInlineSnapshot(`
    {
      ".": 36,
      "./capture": 8,
      "./conformance": 10,
      "./delivery": 3,
      "./eliza": 2,
      "./export": 5,
      "./redact": 1,
      "./reports": 0,
      "./schema": 3,
      "./types": 5,
      "./validators": 33,
    }
  `);
});
