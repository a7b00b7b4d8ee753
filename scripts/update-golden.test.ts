import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { golden } from "../conformance/checks/golden.js";
import { Workspace } from "../conformance/workspace.js";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { runInProcess } from "./testing/run-in-process.js";
import { run } from "./update-golden.js";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository(["fixtures/golden", "schema"]);
});

afterEach(() => copy.remove());

const FOLDER = "fixtures/golden/support-desk";
const DPO = `${FOLDER}/expected.wire.dpo.jsonl`;
const PPO = `${FOLDER}/expected.wire.ppo.jsonl`;
const GONE = `${FOLDER}/expected.gone.jsonl`;

const update = (env: Readonly<Record<string, string>> = {}) =>
  runInProcess(run, [], { root: copy.root, env });
const path = (file: string): string => join(copy.root, file);
const read = (file: string): string => readFileSync(path(file), "utf8");

function breakOutputs(): void {
  writeFileSync(path(DPO), read(DPO).replace('"chosen_branch":', '"chosen_branch":1'));
  writeFileSync(path(GONE), "");
  rmSync(path(PPO));
}

test("rewrites the outputs, removes obsolete ones, prints the changes, and is idempotent", async () => {
  const before = [DPO, PPO].map(read);
  breakOutputs();
  const { status, stdout } = await update();
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(`^${DPO}:1  rollout desk-001, field provenance/chosen_branch$`),
    expect.stringMatching(/^ {8}- 1\d$/),
    expect.stringMatching(/^ {8}\+ \d$/),
    `${PPO}:1  is missing`,
    `${GONE}:1  is unexpected: it is no longer written`,
    expect.stringMatching(/^golden outputs: \d+ files, 3 changed in 3 places$/),
    "",
  ]);
  expect(status).toBe(0);
  expect([DPO, PPO].map(read)).toEqual(before);
  expect(existsSync(path(GONE))).toBe(false);
  expect((await golden.run(new Workspace(copy.root))).findings).toEqual([]);
  expect((await update()).stdout).toMatch(/^golden outputs: \d+ files, 0 changed/);
});

test("refuses to run in CI", async () => {
  breakOutputs();
  const { status, stdout, stderr } = await update({ CI: "true" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^CI is set: .*\n$/);
  expect([PPO, GONE].map((file) => existsSync(path(file)))).toEqual([false, true]);
});

test("an unusable input: no run is rewritten", async () => {
  breakOutputs();
  writeFileSync(path(`${FOLDER}/input.jsonl`), "{");
  const { status, stdout } = await update();
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /input\.jsonl:1 {2}not JSON: .*\nnothing written: fix the inputs first\n$/,
  );
  expect(existsSync(path(PPO))).toBe(false);
});
