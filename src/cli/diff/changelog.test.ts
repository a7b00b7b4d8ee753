import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const RELEASED = "schema/released/rollout-wire/v1.1.schema.json";
const SCHEMA = readFileSync(join(packageRoot(), RELEASED), "utf8");

const print = (...argv: string[]) => folder.run(["diff", ...argv, "--format", "changelog"]);

const ENTRY = `- \`rollout-wire\` 1.1.0: \`RolloutBranch.context\`, \`RolloutBranch.turns\`, \`ModelContext\`, \`Message\`, \`MessageToolCall\`,
  \`MessageFunctionCall\`, \`ToolDefinition\`, \`FunctionDefinition\`. Readers of 1.1.0 reject records of 1.0.1 only where
  these hold something undeclared (\`RolloutBranchRecord\`, \`RolloutBranch\`).
`;

test("two published versions, by name and by file", async () => {
  const released = "released:rollout-wire/v1.0.1";
  const byName = await print(released, "released:rollout-wire/v1.1.0");
  expect(byName).toEqual({
    exitCode: EXIT.ok,
    stdout: ENTRY,
    stderr: expect.stringMatching(/^bump: minor/),
  });
  folder.write("wire.json", SCHEMA);
  expect((await print(released, "wire.json")).stdout).toBe(ENTRY);
});

test("nobody has numbered the text of another: a fork has the bump alone", async () => {
  const changed = SCHEMA.replace(/("RolloutBranch": \{[\s\S]*?"required": \[)/, '$1 "context",');
  folder.write("next.json", changed);
  const { stdout } = await print("released:rollout-wire/v1.1.0", "next.json");
  expect(stdout).toMatch(
    /^- `rollout-wire` \(major\): `RolloutBranch\.context`\. New readers reject records of 1\.1\.0 \(/,
  );
  folder.write("further.json", changed.replace('"context",', '"context", "turns",'));
  const further = await print("next.json", "further.json");
  expect(further.stdout).toMatch(
    /^- `rollout-wire` \(major\): `RolloutBranch\.turns`\. New readers reject old records \(/,
  );
  expect(further.stdout).not.toMatch(/\d\.\d/);
  const markdown = await folder.run(["diff", "next.json", "further.json", "--format", "markdown"]);
  expect(markdown.stdout).toMatch(/ \| major +\|\n/);
});

test("the same version", async () => {
  const same = "released:rollout-wire/v1.1.0";
  expect(await print(same, "wire.json")).toEqual({
    exitCode: EXIT.ok,
    stdout: "",
    stderr: "nothing changed\nbump: none\n",
  });
});

test("every schema that changed in a range of commits, foreign ones without a number", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.example", ...args], {
      cwd: folder.path,
    });
  const note = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" };
  git("init", "--quiet");
  folder.write("note.schema.json", JSON.stringify({ ...note, properties: { a: {} } }));
  folder.write("gone.schema.json", JSON.stringify({ ...note, properties: { b: {} } }));
  git("add", ".");
  git("commit", "--quiet", "-m", "before");
  folder.write("note.schema.json", JSON.stringify({ ...note, required: ["a"] }));
  folder.write("new one.schema.json", JSON.stringify({ ...note, title: "x".repeat(1000) }));
  git("rm", "--quiet", "gone.schema.json");
  git("add", ".");
  git("commit", "--quiet", "-m", "after");
  const { stdout } = await print("HEAD~1..HEAD", ".");
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^- `gone` \(major\): `b`\. New readers reject old records/),
    "- `new one` (minor): A new schema.",
    expect.stringMatching(/^- `note` \(major\): `a`\. New readers reject old records/),
    "",
  ]);
});

test("a property may have the name of a method", async () => {
  folder.write("method.json", '{"required": ["toString"]}');
  folder.write("methods.json", '{"required": ["toString"], "properties": {"toString": true}}');
  const { exitCode, stdout } = await print("method.json", "methods.json");
  const entry = "- `methods` (patch): `toString`. Nothing breaks.\n";
  expect([exitCode, stdout]).toEqual([EXIT.ok, entry]);
});

test("a failure is told on standard error alone", async () => {
  expect(await print("a.json", "b.json")).toEqual({
    exitCode: EXIT.unreadable,
    stdout: "",
    stderr: expect.stringMatching(/^a\.json: no such file.*\n$/),
  });
});

test("the exit code is that of the verdict, whatever the format", async () => {
  folder.write("string.json", '{"type": "string"}');
  folder.write("number.json", '{"type": "number"}');
  const { exitCode, stdout } = await print("string.json", "number.json");
  expect([exitCode, stdout]).toEqual([
    EXIT.findings,
    expect.stringMatching(/^- `number` \(major\)/),
  ]);
});
