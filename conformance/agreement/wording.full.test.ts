import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findErrors, isDefinitionName } from "#generated/index.js";
import { describeFault } from "../../src/base/json/entry-type.js";
import { packageRoot } from "../../src/base/package.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import { Workspace } from "../workspace.js";
import type { Question } from "./adapter.js";
import { createCorpus } from "./corpus.js";
import { readOriginals } from "./originals.js";

type Fault = readonly [pointer: string, keyword: string, message: string];

test("Python lists the faults of the corpus like TypeScript, in the same words and order", async () => {
  const originals = await readOriginals(new Workspace(packageRoot()));
  const size = { withManyChanges: 500, places: 1_000 };
  const records = createCorpus(originals, size, 20_261_124);
  const theirs = listPythonFaults(records);
  let compared = 0;
  records.forEach(({ type, text }, index) => {
    if (!isDefinitionName(type)) throw new Error(`no definition is called ${type}`);
    const record: unknown = JSON.parse(text);
    const ours = findErrors(type, record).map((error): Fault => {
      return [error.pointer, error.keyword, describeFault(error, record)];
    });
    compared += ours.length;
    expect(theirs[index], text).toEqual(ours);
  });
  process.stderr.write(`wording: ${compared} faults of ${records.length} records\n`);
  expect(compared).toBeGreaterThan(records.length / 10);
});

test.each([
  ["acme/v1", ", an unknown schema"],
  ["rollout-wire", ", an unknown schema"],
  ["config/v1", ""],
  ["https://wasmagent.dev/schemas/rollout-wire/v2.1", ", a newer version than the "],
  ["urn:rollout-wire:rollout-wire:v2", ", a newer version than the "],
  ["urn:rollout-wire:config:v1", ""],
  [`rollout-wire/v${"9".repeat(400)}`, ", a newer version than the "],
  ["rollout-wire/v0", ", an older version than the "],
  [7, ""],
])("Python explains a wrong schema_version like TypeScript, case %#", (schema_version, said) => {
  const type = "RolloutBranch";
  const [theirs = []] = listPythonFaults([{ type, text: JSON.stringify({ schema_version }) }]);
  const record = { schema_version };
  const ours = findErrors(type, record).map((error): Fault => {
    return [error.pointer, error.keyword, describeFault(error, record)];
  });
  expect(theirs).toEqual(ours);
  const message = ours.find(([pointer]) => pointer === "/schema_version")?.[2] ?? "";
  expect(message.replace(/^must be ".*?", is (?:".*?"|7)/, "").startsWith(said)).toBe(true);
  expect(message.includes("version than")).toBe(said.includes("version than"));
});

function listPythonFaults(records: readonly Question[]): Fault[][] {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const { stdout, stderr, status } = spawnSync(
    python,
    [join(packageRoot(), "conformance/python/list_faults.py")],
    {
      input: records.map(({ type, text }) => `${JSON.stringify({ type, text })}\n`).join(""),
      encoding: "utf8",
      maxBuffer: 1 << 30,
    },
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line): Fault[] => JSON.parse(line));
}
