import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "../../src/base/testing/copy-repository.js";
import { golden } from "../checks/golden.js";
import { rewriteGolden } from "../gate.js";
import { Workspace } from "../workspace.js";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository(["fixtures/golden", "schema"]);
});

afterEach(() => copy.remove());

const FOLDER = "fixtures/golden/support-desk";
const DPO = `${FOLDER}/expected.wire.dpo.jsonl`;
const PPO = `${FOLDER}/expected.wire.ppo.jsonl`;
const GONE = `${FOLDER}/expected.gone.jsonl`;

const update = () => rewriteGolden(new Workspace(copy.root));
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
  const { isWritten, text } = await update();
  expect(text.split("\n")).toEqual([
    expect.stringMatching(`^${DPO}:1  rollout desk-001, field provenance/chosen_branch$`),
    expect.stringMatching(/^ {8}- 1\d$/),
    expect.stringMatching(/^ {8}\+ \d$/),
    `${PPO}:1  is missing`,
    `${GONE}:1  is unexpected: it is no longer written`,
    expect.stringMatching(/^golden outputs: \d+ files, 3 changed in 3 places$/),
    "",
  ]);
  expect(isWritten).toBe(true);
  expect([DPO, PPO].map(read)).toEqual(before);
  expect(existsSync(path(GONE))).toBe(false);
  expect((await golden.run(new Workspace(copy.root))).findings).toEqual([]);
  expect((await update()).text).toMatch(/^golden outputs: \d+ files, 0 changed/);
});

test("an unusable input: no run is rewritten", async () => {
  breakOutputs();
  writeFileSync(path(`${FOLDER}/input.jsonl`), "{");
  const { isWritten, text } = await update();
  expect(isWritten).toBe(false);
  expect(text).toMatch(/input\.jsonl:1 {2}not JSON: .*\nnothing written: fix the commands /);
  expect(existsSync(path(PPO))).toBe(false);
});
