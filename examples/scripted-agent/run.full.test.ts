import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTempFolder } from "../../src/base/files/temp.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { findFaults } from "../../src/base/testing/find-faults.js";
import { type EntryTypeName, isRolloutBranch } from "../../src/index.js";

const RUN = fileURLToPath(new URL("run.ts", import.meta.url));
const README = readFileSync(new URL("README.md", import.meta.url), "utf8");
const PROGRAM = readFileSync(new URL("program/parse-duration.mjs", import.meta.url), "utf8");

const folder = createTempFolder();
const output = join(folder.path, "out/scripted-agent");
/** The temporary folder of the program, so that leftovers are detected. */
const temporary = createTempFolder();

/** Starts the example like `npm run example`, in a writable folder. */
function start(destination = output) {
  const argv = ["--import", import.meta.resolve("tsx"), RUN, destination];
  const child = spawn(process.execPath, argv, {
    cwd: folder.path,
    env: { ...process.env, TMPDIR: temporary.path },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  return { child, said, ending: once(child, "close") };
}

function readJsonl(name: string): object[] {
  const lines = readFileSync(join(output, name), "utf8").trimEnd().split("\n");
  return lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject);
}

let said: ReturnType<typeof start>["said"];
let exitCode: unknown;

beforeAll(async () => {
  const run = start();
  [exitCode] = await run.ending;
  said = run.said;
});

afterAll(() => {
  folder.remove();
  temporary.remove();
});

test("the output is that of the README", () => {
  const [, shown] = /```\n(\d strategies .*?)```/s.exec(README) ?? [];
  expect([exitCode, said.stderr]).toEqual([0, ""]);
  expect(said.stdout).toBe(shown);
});

test.each<[string, EntryTypeName, number]>([
  ["rollouts.jsonl", "RolloutBranch", 4],
  ["ranked.jsonl", "RolloutBranchRecord", 4],
  ["dpo.jsonl", "DpoTrainingRecord", 1],
  ["ppo.jsonl", "PpoTrainingRecord", 4],
])("every record of %s is a valid %s", (name, type, count) => {
  const records = readJsonl(name);
  expect(records).toHaveLength(count);
  expect(records.flatMap((record) => findFaults(record, type))).toEqual([]);
});

test("one strategy succeeds, one fails the tests, one crashes, one changes nothing", () => {
  const branches = readJsonl("rollouts.jsonl").filter(isRolloutBranch);
  const ends = branches
    .toSorted((a, b) => a.branch_index - b.branch_index)
    .map(({ build_result: result, tool_call_sequence: events, ...branch }) => ({
      status: result?.status,
      crashed: "branch_error" in branch,
      edits: events.filter(
        ({ event, data }) => event === "tool_call" && data?.toolName === "edit_file",
      ).length,
    }));
  expect(ends).toEqual([
    { status: "fail", crashed: false, edits: 0 },
    { status: undefined, crashed: true, edits: 1 },
    { status: "pass", crashed: false, edits: 1 },
    { status: "fail", crashed: false, edits: 1 },
  ]);
});

test("the strategy that fixes the program is the best one, and the chosen side of the pair", () => {
  const [best] = readJsonl("ranked.jsonl");
  const [pair] = readJsonl("dpo.jsonl");
  expect(best).toMatchObject({ branch_index: 2, rank: 1, objective_score: 1 });
  expect(pair).toMatchObject({ chosen: Reflect.get(best ?? {}, "final_answer") });
});

test("the original program is unchanged, and no files are left behind", () => {
  expect(readFileSync(new URL("program/parse-duration.mjs", import.meta.url), "utf8")).toBe(
    PROGRAM,
  );
  expect(readdirSync(folder.path)).toEqual(["out"]);
  expect(listWorkshops()).toEqual([]);
});

test("a folder that cannot be created is a one-line error, and nothing runs", async () => {
  const { said, ending } = start(join(RUN, "out"));
  expect(await ending).toEqual([3, null]);
  expect(said.stdout).toBe("");
  expect(said.stderr).toMatch(/^ENOTDIR: [^\n]+run\.ts\/out'\n$/);
  expect(listWorkshops()).toEqual([]);
});

test("Ctrl-C: every branch still has a record, and no files are left behind", async () => {
  const run = start();
  while (run.child.exitCode === null && !hasWorkshop())
    await new Promise((resolve) => setTimeout(resolve, 5));
  run.child.kill("SIGINT");
  const [code] = await run.ending;
  // On a busy machine, the run may already be over.
  if (code !== 0) {
    expect([code, run.said.stderr]).toEqual([130, ""]);
    expect(run.said.stdout).toMatch(/ (?:aborted|not-started|crashed): stopped by Ctrl-C\n/);
    expect(run.said.stdout).toMatch(/\nNot paired: 1 /);
  }
  expect(listWorkshops()).toEqual([]);
  const records = readJsonl("rollouts.jsonl");
  expect(records).toHaveLength(4);
  expect(records.flatMap((record) => findFaults(record, "RolloutBranch"))).toEqual([]);
});

function listWorkshops(): string[] {
  return readdirSync(temporary.path).filter((name) => name.startsWith("scripted-agent"));
}

function hasWorkshop(): boolean {
  return readdirSync(temporary.path, { recursive: true, encoding: "utf8" }).some((name) =>
    name.endsWith(".test.mjs"),
  );
}
