import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import {
  copySchemas,
  duplicateCopy,
  type RepositoryCopy,
} from "../../base/testing/copy-repository.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { startProgram } from "../../base/testing/run-program.js";
import { FIRST_LINE, isGeneratedText, listFiles } from "../../contract/codegen/files.js";

/** A repository with few schemas and fresh code, which each test copies. */
let fresh: RepositoryCopy;
let copy: RepositoryCopy;
const folder = createTestFolder();
const generateIn = async (cwd: string, ...argv: string[]) => {
  const { exitCode: status, ...printed } = await folder.run(["generate", ...argv], { cwd });
  return { status, ...printed };
};
const generate = (...argv: string[]) => generateIn(copy.root, ...argv);

beforeAll(async () => {
  fresh = copySchemas(["adapter-protocol"], ["package.json"]);
  expect((await generateIn(fresh.root)).status).toBe(0);
});

afterAll(() => folder.remove());
afterAll(() => fresh.remove());

beforeEach(() => {
  copy = duplicateCopy(fresh);
});

afterEach(() => copy.remove());

test("an edited schema turns it red, with a diff and the fix, and generate fixes it", async () => {
  copy.edit("schema/adapter-protocol.schema.json", (text) =>
    text.replace("How much an adapter did.", "How much it did."),
  );
  const { status, stdout } = await generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("+ * How much it did.");
  expect(stdout).toContain("generated/typescript/adapter-protocol.d.ts");
  expect(stdout).toContain("schema/registry.json");
  expect(stdout).toMatch(
    /\d+ of \d+ generated files are not up to date. {2}Fix: {2}rollout-wire generate\n$/,
  );

  const program = "npx --no-install rollout-wire";
  const { stderr, stdout: said } = await folder.run(["generate", "--check"], {
    cwd: copy.root,
    program,
  });
  expect(said + stderr).toContain(`Fix:  ${program} generate\n`);

  expect((await generate()).status).toBe(0);
  expect((await generate("--check")).status).toBe(0);
});

test("an edited generated file turns it red", async () => {
  copy.edit("generated/python/rollout_wire/adapter_protocol.py", (text) =>
    text.replace("len(_type) < 1", "len(_type) < 0"),
  );
  const { status, stdout } = await generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("-    if not isinstance(_type, str) or len(_type) < 0:");
  expect(stdout).toContain("+    if not isinstance(_type, str) or len(_type) < 1:");
});

test("a missing and an unexpected file turn it red, and generate fixes both", async () => {
  rmSync(join(copy.root, "generated/typescript/index.js"));
  writeFileSync(join(copy.root, "generated/typescript/stray.js"), `// ${FIRST_LINE}\n`);
  const { status, stdout } = await generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("generated/typescript/index.js: missing\n");
  expect(stdout).toContain("generated/typescript/stray.js: unexpected, no schema generates it\n");

  expect((await generate()).status).toBe(0);
  expect((await generate("--check")).status).toBe(0);
});

test("what others put into the folders is left alone, or an error before anything is written", async () => {
  const notes = join(copy.root, "generated/typescript/notes.js");
  writeFileSync(notes, "// mine\n");
  expect((await generate("--check")).status).toBe(0);
  copy.edit("schema/adapter-protocol.schema.json", (text) =>
    text.replace("How much an adapter did.", "How much it did."),
  );
  const [index, types] = ["index", "adapter-protocol"].map((name) =>
    join(copy.root, `generated/typescript/${name}.d.ts`),
  );
  writeFileSync(index ?? "", "export {};\n");
  const before = readFileSync(types ?? "", "utf8");
  const { status, stderr } = await generate();
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^generated\/typescript\/index\.d\.ts:1:1 {2}is in the way: .*\nnothing written\n$/,
    ),
  ]);
  expect(readFileSync(types ?? "", "utf8")).toBe(before);
  rmSync(index ?? "");
  expect((await generate()).status).toBe(0);
  expect(readFileSync(notes, "utf8")).toBe("// mine\n");
});

test("a link in place of a generated file is in the way, and not followed", async () => {
  rmSync(join(copy.root, "generated/typescript/index.js"));
  symlinkSync(join(copy.root, "package.json"), join(copy.root, "generated/typescript/index.js"));
  const manifest = readFileSync(join(copy.root, "package.json"), "utf8");
  expect((await generate("--check")).status).toBe(1);
  expect((await generate()).stderr).toContain("index.js:1:1  is in the way");
  expect(readFileSync(join(copy.root, "package.json"), "utf8")).toBe(manifest);
});

test("a schema that is not JSON is one line and exit 1", async () => {
  copy.edit("schema/adapter-protocol.schema.json", (text) => text.slice(0, -3));
  const { status, stderr } = await generate("--check");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^schema\/adapter-protocol\.schema\.json:\d+:\d+ {2}is not JSON: .*\n$/);
});

test("every fault of a schema is a line with its place", async () => {
  copy.edit("schema/adapter-protocol.schema.json", (text) =>
    text.replaceAll('"type": "integer"', '"type": "string", "pattern": "^(a+)+$"'),
  );
  const { status, stderr } = await generate("--check");
  expect(status).toBe(1);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(line).toMatch(
      /^schema\/adapter-protocol\.schema\.json:\d+:\d+ {2}\/\$defs\/\S+\/pattern {2}can take very long /,
    );
  }
  expect(new Set(lines).size).toBe(lines.length);
});

test("an unknown flag suggests the closest one and exits with 2", async () => {
  const { status, stderr } = await generate("--chek");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "unknown option '--chek' (Did you mean --check?)  Help:  rollout-wire generate --help\n",
  );
});

test("only some targets of the configuration; one that it lacks is a mistake", async () => {
  rmSync(join(copy.root, "generated"), { recursive: true });
  expect((await generate("--target", "reference")).status).toBe(0);
  expect(existsSync(join(copy.root, "generated/reference/adapter-protocol.md"))).toBe(true);
  expect(existsSync(join(copy.root, "generated/typescript"))).toBe(false);
  const { status, stderr } = await generate("--target", "pythn");
  expect([status, stderr]).toEqual([2, expect.stringContaining("(did you mean python?)")]);
});

test("without schemas and a configuration, it says what to name", async () => {
  mkdirSync(join(folder.path, "bare"));
  const { status, stdout, stderr } = await generateIn(join(folder.path, "bare"));
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^name schema files, such as: rollout-wire generate task\.schema\.json; or/,
  );
});

describe("files without a configuration", () => {
  const schema = (title: string, ...names: readonly string[]) => ({
    title,
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
  });
  let cwd = "";
  const write = (name: string, content: unknown) =>
    writeFileSync(join(cwd, name), JSON.stringify(content));
  const read = (name: string) => readFileSync(join(cwd, "generated", name), "utf8");

  beforeEach(() => {
    cwd = join(folder.path, "given");
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    write("task.schema.json", schema("Task", "name", "class"));
  });

  test("one file: types, a guard and dataclasses, and how to import them", async () => {
    const { status, stdout, stderr } = await generateIn(cwd, "task.schema.json");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.replaceAll(/\d+ files, \d+/g, "n files, n")).toBe(`\
  read               task.schema.json, 1 type, 2 fields
  typescript         generated/typescript/  n files, n written
  python             generated/python/task/  n files, n written

import { isTask, type Task } from "./generated/typescript/index.js";
if (isTask(value)) use(value);
from generated.python.task import Task; Task.from_json(line)
`);
    const { isTask } = await import(join(cwd, "generated/typescript/index.js"));
    expect([isTask({ name: "a", class: "b" }), isTask({ name: "a" })]).toEqual([true, false]);
    const program = `from generated.python.task import Task; print(Task.from_json('{"name": "a", "class": "b"}').class_)`;
    expect(execFileSync("python3", ["-c", program], { cwd, encoding: "utf8" })).toBe("b\n");
    const again = await generateIn(cwd, "task.schema.json");
    expect(again.stdout).not.toContain("import");
    expect(again.stdout).toMatch(/typescript\/ {2}\d+ files, up to date\n/);
    expect((await generateIn(cwd, "task.schema.json", "--check")).status).toBe(0);
    write("task.schema.json", schema("Task", "name"));
    const { status: stale, stdout: lines } = await generateIn(cwd, "task.schema.json", "--check");
    expect([stale, lines]).toEqual([1, expect.stringContaining("-  class: string;\n")]);
    expect(lines).toMatch(/Fix: {2}rollout-wire generate task\.schema\.json\n$/);
    expect(read("typescript/task.d.ts")).toContain("class: string;");
  });

  test("code of another schema is not overwritten, nor removed, until that is gone", async () => {
    write("user.schema.json", schema("User", "email"));
    await generateIn(cwd, "task.schema.json");
    const { status, stderr } = await generateIn(cwd, "user.schema.json");
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^generated\/typescript\/index\.d\.ts:1:1 {2}has the code of task\.schema\.json too: /,
      ),
    ]);
    expect(existsSync(join(cwd, "generated/python/user"))).toBe(false);
    expect((await generateIn(cwd, "task.schema.json", "user.schema.json")).status).toBe(0);
    expect(read("typescript/index.d.ts")).toMatch(/task\.js.*\n.*user\.js/);
    rmSync(join(cwd, "task.schema.json"));
    const { status: second, stdout } = await generateIn(cwd, "user.schema.json");
    expect([second, stdout]).toEqual([0, expect.stringMatching(/typescript\/ .*, 1 removed\n/)]);
    expect(existsSync(join(cwd, "generated/typescript/task.d.ts"))).toBe(false);
  });

  test("models come with their dataclasses, by whose name they import them", async () => {
    const { stdout } = await generateIn(
      cwd,
      "task.schema.json",
      "--target",
      "pydantic",
      "--out",
      "lib",
    );
    expect(stdout).toContain(
      "from task import Task; Task.from_json(line)  # with lib/python on the PYTHONPATH\nfrom task_pydantic import Task;",
    );
    const program = `from task_pydantic import Task; print(Task.model_validate({"name": "a", "class": "b"}).class_)`;
    const env = { ...process.env, PYTHONPATH: "lib/python" };
    expect(execFileSync("python3", ["-c", program], { cwd, env, encoding: "utf8" })).toBe("b\n");
    expect(existsSync(join(cwd, "lib/typescript"))).toBe(false);
  });

  test("a process that is killed while it writes leaves no half file, and the next run completes it", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `s${index}.schema.json`);
    for (const name of names) write(name, schema(name.replace(".schema.json", ""), "a", "b"));
    await generateIn(cwd, ...names);
    const whole = readFiles(join(cwd, "generated"));
    rmSync(join(cwd, "generated"), { recursive: true });
    mkdirSync(join(cwd, "generated/typescript"), { recursive: true });
    const { process: child, ending } = startProgram(["generate", ...names], { cwd });
    const isWriting = (): boolean => readdirSync(join(cwd, "generated/typescript")).length >= 5;
    while (!isWriting() && child.exitCode === null) await setTimeout(1);
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await ending;
    for (const [path, text] of readFiles(join(cwd, "generated"))) {
      if (isGeneratedText(text) && whole.has(path)) expect(text).toBe(whole.get(path));
    }
    expect((await generateIn(cwd, ...names)).status).toBe(0);
    expect(readFiles(join(cwd, "generated"))).toEqual(whole);
  });
});

/** The texts of all files below a folder. */
function readFiles(root: string): Map<string, string> {
  const paths = listFiles(root, ".");
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Nothing else compares all of it. */
test("generate --check is green on this repository", async () => {
  const { status, stdout } = await generateIn(packageRoot(), "--check");
  expect(stdout).toMatch(
    /^ {2}read {15}\d+ schemas, \d+ types, \d+ fields\n {2}typescript .* up to date\n/,
  );
  expect(status).toBe(0);
});
