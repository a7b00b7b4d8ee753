import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HOME } from "../../../scripts/home.js";
import { EXIT } from "../../user-error.js";
import { createTestFolder } from "../testing/run-in-folder.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const RELEASED = "released:rollout-wire/v1";
const SCHEMA = readFileSync(join(HOME, "schema/rollout-wire.schema.json"), "utf8");

/** Writes the rollout-wire schema with a piece of its text replaced. */
function writeChanged(name: string, before: string, after: string): void {
  const changed = SCHEMA.replace(before, after);
  expect(changed).not.toBe(SCHEMA);
  writeFileSync(join(folder.path, name), changed);
}

test("a version against itself", async () => {
  expect(await folder.run(["diff", RELEASED, "rollout-wire/v1"])).toEqual({
    exitCode: EXIT.ok,
    stdout: [
      "backward  compatible    new readers accept all old data\n",
      "forward   compatible    old readers accept all new data\n",
    ].join(""),
    stderr: "bump: none\n",
  });
});

test("a new description is a patch", async () => {
  writeChanged("described.json", '"description": "', '"description": "Now: ');
  const { exitCode, stderr } = await folder.run(["diff", RELEASED, "described.json"]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, "bump: patch\n"]);
});

test("a field that becomes required breaks backward, with the record that proves it", async () => {
  const document = JSON.parse(SCHEMA);
  document.$defs.PpoRecord.required.push("completion_tokens");
  writeFileSync(join(folder.path, "required.json"), JSON.stringify(document, null, 2));
  const { exitCode, stdout, stderr } = await folder.run(["diff", RELEASED, "required.json"]);
  expect([exitCode, stderr]).toEqual([EXIT.findings, "bump: major\n"]);
  const [backward, forward, , finding, proof, witness = ""] = stdout.split("\n");
  expect(backward).toBe("backward  breaking      new readers reject data that is valid today");
  expect(forward).toBe("forward   compatible    old readers accept all new data");
  expect(finding).toMatch(
    /^required\.json:\d+:\d+ {2}\/\$defs\/PpoRecord\/required {2}PpoRecord: breaks backward: lacks "completion_tokens" {2}\(required\)$/,
  );
  expect(proof).toBe("  this record is valid before and not after:");
  expect(JSON.parse(witness)).toMatchObject({ prompt: "a", reward: 0 });
});

test("what is widened breaks forward, and asks for a minor version", async () => {
  const document = JSON.parse(SCHEMA);
  document.$defs.PpoRecord.required = document.$defs.PpoRecord.required.slice(1);
  writeFileSync(join(folder.path, "optional.json"), JSON.stringify(document));
  const { exitCode, stdout, stderr } = await folder.run([
    ...["diff", RELEASED, "optional.json", "--format", "json"],
  ]);
  expect([exitCode, stderr]).toEqual([EXIT.findings, "bump: minor\n"]);
  expect(JSON.parse(stdout)).toMatchObject({
    command: "diff",
    findings: [{ id: "required", severity: "error", pointer: "/$defs/PpoRecord/required" }],
  });
});

test("what nobody can say is exit 4", async () => {
  writeFileSync(join(folder.path, "one.json"), '{"vocabulary": 1}');
  writeFileSync(join(folder.path, "other.json"), '{"vocabulary": 2}');
  const { exitCode, stdout } = await folder.run(["diff", "one.json", "other.json"]);
  expect(exitCode).toBe(EXIT.undecided);
  expect(stdout).toContain("backward is undecided: ");
});

test("a file as git has it, with its neighbours, from a folder below", async () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });
  writeFileSync(join(folder.path, "a.schema.json"), '{"$id": "https://a.example/a", "$ref": "b"}');
  writeFileSync(
    join(folder.path, "b.schema.json"),
    '{"$id": "https://a.example/b", "type": "string"}',
  );
  git("init", "--quiet");
  git("add", "a.schema.json", "b.schema.json");
  git("-c", "user.name=t", "-c", "user.email=t@t.example", "commit", "--quiet", "-m", "first");
  writeFileSync(
    join(folder.path, "b.schema.json"),
    '{"$id": "https://a.example/b", "type": "number"}',
  );
  const { exitCode, stdout } = await folder.run(["diff", "HEAD:a.schema.json", "a.schema.json"]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(/^backward {2}breaking .*\nforward {3}breaking /);
  // The keyword stands in the neighbour: no place of the schema itself is said to hold it.
  expect(stdout).toMatch(/\na\.schema\.json:1:1 +\(line\) +breaks backward: .* {2}\(type\)\n/);
});

describe("mistakes are one line", () => {
  test.each<[string[], number, string]>([
    [["one"], EXIT.usage, "missing required argument 'new'"],
    [["one", "two", "three"], EXIT.usage, "too many arguments"],
    [["none.json", RELEASED], EXIT.unreadable, "none.json: no such file, nor is it released:"],
    [["released:none/v1", RELEASED], EXIT.unreadable, "none/v1: no such schema was published"],
    [["released:rollout-wire/v99", RELEASED], EXIT.unreadable, "published versions are "],
    [["none:a.json", RELEASED], EXIT.unreadable, "git fetch origin none"],
    [["--x:a.json", RELEASED], EXIT.usage, "unknown option"],
    [["text.json", RELEASED], EXIT.unreadable, "text.json:2:7  is not JSON"],
    [["list.json", RELEASED], EXIT.unreadable, "list.json: is no schema"],
    [["wrong.json", RELEASED], EXIT.unreadable, "wrong.json /type: is no schema of draft 2020-12"],
    [["draft-7.json", RELEASED], EXIT.unreadable, "draft-7.json: is a schema of http://json-"],
    [["pattern.json", RELEASED], EXIT.unreadable, 'pattern.json /items: "(" is no pattern'],
    [["remote.json", RELEASED], EXIT.unreadable, '"$ref" leads nowhere: https://x.example/y'],
  ])("%j", async (args, expected, said) => {
    for (const [name, text] of [
      ["text.json", '{\n"type"'],
      ["list.json", "[]"],
      ["wrong.json", '{"type": "text"}'],
      ["draft-7.json", '{"$schema": "http://json-schema.org/draft-07/schema#"}'],
      ["pattern.json", '{"items": {"pattern": "("}}'],
      [
        "odd.schema.json",
        '{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://odd", "type": 7}',
      ],
      ["remote.json", '{"$ref": "https://x.example/y"}'],
    ] as const) {
      writeFileSync(join(folder.path, name), text);
    }
    const { exitCode, stdout, stderr } = await folder.run(["diff", ...args]);
    expect([exitCode, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
});
