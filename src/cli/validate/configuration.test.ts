import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(join(folder.path, "runs"));
});
afterEach(() => folder.remove());

const good = JSON.stringify(createBranch());
const doubled = good.replace('"rank":1', '"rank":1,"rank":1');
const CONFIG = "rollout-wire.config.json";
const records = { schema: "rollout-wire", version: "1.1.0" };

function configure(changes: Partial<Config>): void {
  const config = { config_version: "config/v1", repository: "mine", artefacts: [], ...changes };
  folder.write(CONFIG, JSON.stringify(config, null, 2));
}

const validate = (...argv: string[]) => folder.run(["validate", ...argv]);

test("its exclusions apply to folders and patterns, besides those of the command line", async () => {
  for (const file of ["runs/a.jsonl", "runs/b.jsonl", "runs/c.jsonl"]) folder.write(file, "NaN");
  configure({ exclude: ["runs/a.jsonl"] });
  const filesOf = ({ stdout }: { stdout: string }) => stdout.match(/\w\.jsonl/g);
  expect(filesOf(await validate("runs"))).toEqual(["b.jsonl", "c.jsonl"]);
  expect(filesOf(await validate("runs/*", "--exclude", "**/b.*"))).toEqual(["c.jsonl"]);
  expect(filesOf(await validate("runs/a.jsonl"))).toEqual(["a.jsonl"]);
});

test("its severities replace those of the default profile only", async () => {
  folder.write("a.jsonl", doubled);
  const exitCodes = async () => [
    (await validate("a.jsonl")).exitCode,
    (await validate("a.jsonl", "--profile", "strict")).exitCode,
    (await validate("a.jsonl", "--rule", "duplicate-key=error")).exitCode,
  ];
  expect(await exitCodes()).toEqual([EXIT.findings, EXIT.findings, EXIT.findings]);
  configure({ severity: { "duplicate-key": "warning", breaking: "off" } });
  expect(await exitCodes()).toEqual([EXIT.ok, EXIT.findings, EXIT.findings]);
});

describe("without a file", () => {
  test("the fixtures that it lists are validated", async () => {
    folder.write("a.jsonl", good);
    folder.write("runs/b.jsonl", "NaN");
    const source = "fixtures/golden/data-loop/input.jsonl";
    const copy = { ...records, kind: "fixture", source, path: "a.jsonl" } as const;
    configure({
      artefacts: [
        copy,
        { ...copy, kind: "schema", source: "schema/rollout-wire.schema.json", path: "schema.json" },
      ],
      fixtures: [{ ...records, path: "runs/b.jsonl" }],
      exclude: ["runs"],
    });
    expect(await validate()).toEqual({
      exitCode: EXIT.findings,
      stdout: "runs/b.jsonl:1:1  (line)  not JSON: unexpected NaN  (json)\n",
      stderr: expect.stringMatching(
        /^validating 2 fixtures of rollout-wire\.config\.json\n1 error, 0 warnings in 2 records/,
      ),
    });
    expect((await validate("--exclude", "a.jsonl")).stderr).toContain("name it first");
  });

  test("a fixture that is missing is an error", async () => {
    configure({ fixtures: [{ ...records, path: "none.jsonl" }] });
    expect(await validate()).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "none.jsonl: no such file\n",
    });
  });

  test.each([
    [
      "without a configuration",
      undefined,
      "missing required argument 'file' (without it, the fixtures of a rollout-wire.config.json in this folder are validated)",
    ],
    [
      "without fixtures",
      {},
      "missing required argument 'file' (rollout-wire.config.json lists no fixtures)",
    ],
  ])("%s, a file is required", async (_name, config, message) => {
    if (config !== undefined) configure(config);
    expect(await validate()).toEqual({
      exitCode: EXIT.usage,
      stdout: "",
      stderr: `${message}  Help:  rollout-wire validate --help\n`,
    });
  });
});

describe("a configuration that cannot be used is an error with its place", () => {
  test.each([
    ["{", `${CONFIG}:1:2: is not JSON: unexpected end of input`],
    ["[]", `${CONFIG}:1:1: must be an object, is an empty array`],
    [
      '{"config_version":"config/v1",\n "artefacts":[], "repository":1}',
      `${CONFIG}:2:31 /repository: must be a string, is 1`,
    ],
  ])("%j", async (text, message) => {
    folder.write("a.jsonl", good);
    folder.write(CONFIG, text);
    const { exitCode, stdout, stderr } = await validate("a.jsonl");
    expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
    expect(stderr).toContain(message);
    const json = JSON.parse((await validate("a.jsonl", "--format", "json")).stdout);
    expect(json.findings).toMatchObject([{ id: "failure", message: stderr.trim() }]);
  });

  test("an unknown rule", async () => {
    configure({ severity: { "duplicat-key": "off" } });
    expect((await validate("a.jsonl")).stderr).toMatch(
      /^rollout-wire\.config\.json:6:21 \/severity\/duplicat-key: is not a grade, finding or rule whose severity can be set \(did you mean duplicate-key\?\)\n$/,
    );
  });

  test("a folder of its name", async () => {
    mkdirSync(join(folder.path, CONFIG));
    folder.write("a.jsonl", good);
    expect((await validate("a.jsonl")).stderr).toBe(`${CONFIG}: is no regular file\n`);
  });
});
