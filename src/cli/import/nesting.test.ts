import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isJsonObject } from "../../base/json/value.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/", import.meta.url));

/** More levels than any stack has room for. */
const LEVELS = 20_000;
const DEEP = `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`;

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const fixture = (file: string): string => readFileSync(join(FIXTURES, file), "utf8");

const SKIP = ["--skip", "invalid", "--rejects", "rejects.jsonl"];
const FOUND = "warning: nested more than 400 levels deep: cannot be exported  (nesting-depth)";

/** Before which key of a fixture there is a value that is nested too deeply, and where. `kept`: branches of the rest. */
const CASES: readonly (readonly [file: string, key: string, place: RegExp, kept: number])[] = [
  ["forms/array.json", '"conversations":', /^\S+:3:\d+ +\/0\/deep\/a\/a\/a /, 1],
  [
    "forms/eliza-native.jsonl",
    '"events":',
    /^\S+:1:\d+ +\/request\/messages\/2\/content\/deep /,
    1,
  ],
  ["forms/inspect.json", '"content":', /^\S+:\d+:\d+ +\/samples\/0\/messages\/0\/deep\/a /, 1],
  ["forms/tau-bench.json", '"content":', /^\S+:\d+:\d+ +\/0\/traj\/0\/deep\/a /, 1],
  ["forms/tau2.json", '"content":', /^\S+:\d+:\d+ +\/simulations\/0\/messages\/0\/deep\/a /, 1],
  ["atif/trajectories.jsonl", '"message":', /^\S+:1:\d+ +\/steps\/0\/deep\/a /, 4],
  ["messages/trl.jsonl", '"content":', /^\S+:1:\d+ +\/prompt\/0\/deep\/a /, 4],
];

test.each(CASES)(
  "%s: a record that is nested too deeply is a finding, and the others are read on",
  async (file, key, place, kept) => {
    folder.write("in.jsonl", fixture(file).replace(key, `"deep": ${DEEP}, ${key}`));
    const argv = ["import", "in.jsonl", "--pass-value", "C", ...SKIP, "-o", "out.jsonl"];
    const { exitCode, stdout, stderr } = await folder.run(argv);
    expect([exitCode, stderr, stdout]).toEqual([
      ...[EXIT.ok, expect.any(String), expect.stringContaining(FOUND)],
    ]);
    expect(stdout).toMatch(place);
    expect(read("out.jsonl").trimEnd().split("\n")).toHaveLength(kept);
    expect(read("rejects.jsonl")).toContain(JSON.stringify(DEEP).slice(1, -1));
  },
);

test("a JSON text in a record is nested too deeply, too", async () => {
  const [row = "", ...others] = fixture("forms/langfuse.jsonl").split("\n");
  const output = JSON.stringify(`{"role": "assistant", "content": ${DEEP}}`);
  folder.write(
    "in.jsonl",
    [row.replace(/"output": \{.*?\}/, `"output": ${output}`), ...others].join("\n"),
  );
  const { exitCode, stdout } = await folder.run(["import", "in.jsonl", "-o", "out.jsonl"]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(
    /^in\.jsonl:1:\d+ +\/output\/content\/a +nested more than 400 levels deep/,
  );
});

test("a session that is nested too deeply is found in its line, unless nothing reads what is", async () => {
  const [head, question = "", answer = "", ...rest] =
    fixture("forms/claude-code.jsonl").split("\n");
  const text = (line: string): string => [head, question, line, ...rest].join("\n");
  const importIt = () => folder.run(["import", "in.jsonl", "--assume-passed", "-o", "out.jsonl"]);
  folder.write("in.jsonl", text(answer.replace('"content":', `"deep": ${DEEP}, "content":`)));
  expect(await importIt()).toMatchObject({
    exitCode: EXIT.findings,
    stdout: expect.stringMatching(/^in\.jsonl:3:\d+ +\/message\/deep\/a +nested more than 400 /m),
  });
  folder.write("in.jsonl", text(answer.replace("{", `{"deep": ${DEEP}, `)));
  expect(await importIt()).toMatchObject({
    exitCode: EXIT.ok,
    stderr: expect.stringMatching(/^ {2}not read .*\b1 x deep\b/m),
  });
});

test.each<[code: number, argv: readonly string[]]>([
  [EXIT.findings, ["export", "--target", "trl", "--allow-missing-g3", "--pass-value", "C"]],
  [EXIT.findings, ["rank", "--output", "ranked.jsonl", "--input"]],
  [EXIT.unreadable, ["show"]],
  [EXIT.unreadable, ["report", "--output", "report.html"]],
  [EXIT.findings, ["validate"]],
])("exit code %d: %j says what such a file is", async (code, argv) => {
  const text = fixture("forms/tau-bench.json");
  folder.write("in.json", text.replace('"traj":', `"deep": ${DEEP}, "traj":`));
  const { exitCode, stdout, stderr } = await folder.run([...argv, "in.json"]);
  expect(stdout + stderr).toMatch(
    /nested more than 400 levels|no rollouts, but results of tau-bench/,
  );
  expect(exitCode).toBe(code);
});

test("--explain-map names the row, and explains the others", async () => {
  folder.write("in.json", fixture("forms/array.json").replace("{", `{"deep": ${DEEP}, `));
  const argv = ["import", "in.json", "--explain-map", "-o", "out.jsonl"];
  const { exitCode, stdout } = await folder.run(argv);
  expect(exitCode).toBe(EXIT.ok);
  expect(stdout).toMatch(/2 rows: 1 branch\n.*\/deep\/a\/a\/a {2}nested more than 400 levels deep/);
});

test("definitions of tools that are nested too deeply are refused", async () => {
  folder.write("tools.json", `[{"name": "run", "parameters": ${DEEP}}]`);
  const file = join(FIXTURES, "messages/trl.jsonl");
  const argv = ["import", file, "--tools", "tools.json", "-o", "out.jsonl"];
  const { exitCode, stderr } = await folder.run(argv);
  expect([exitCode, stderr]).toEqual([
    EXIT.unreadable,
    "--tools tools.json: is nested more than 400 levels deep\n",
  ]);
});

const MARK = "@@deep@@";

/** The places of the objects in a value: of a list, those in its first two elements. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (Array.isArray(value)) {
    return value.slice(0, 2).flatMap((each, index) => placesOf(each, [...at, `${index}`]));
  }
  if (!isJsonObject(value)) return [];
  return [at, ...Object.entries(value).flatMap(([key, each]) => placesOf(each, [...at, key]))];
}

/** A value with a mark in the object at a place. */
function markAt(value: unknown, [key, ...others]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((each, index) => (`${index}` === key ? markAt(each, others) : each));
  }
  if (!isJsonObject(value)) return value;
  return key === undefined
    ? { ...value, zz_deep: MARK }
    : { ...value, [key]: markAt(value[key], others) };
}

/** Every object in the first record of every fixture. */
const OBJECTS = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:jsonl?|traj)$/.test(file) && !/^expected|^result/.test(basename(file)))
  .toSorted()
  .flatMap((file) => {
    const [first = ""] = file.endsWith(".jsonl") ? fixture(file).split("\n") : [fixture(file)];
    const value: unknown = JSON.parse(first.replaceAll(/\bNaN\b/g, "0"));
    const places = new Map(placesOf(value).map((at) => [at.join("/").replaceAll(/\d+/g, "*"), at]));
    return [...places].map(([name, at]) => ({
      file,
      name,
      text: JSON.stringify(markAt(value, at)),
    }));
  });

test.each(sampleCases(OBJECTS, 6))(
  "$file /$name: what is nested too deeply is found, or read by nothing",
  async ({ file, text }) => {
    const [, ...others] = file.endsWith(".jsonl") ? fixture(file).split("\n") : [];
    const importWith = async (value: string) => {
      const name = basename(file);
      folder.write(name, [text.replace(`"${MARK}"`, value), ...others, ""].join("\n"));
      const argv = ["import", name, "--assume-passed", "--pass-value", "C", "-o", "out.jsonl"];
      const { exitCode, stdout, stderr } = await folder.run(argv);
      // An id may be a hash of what is there.
      const branches =
        exitCode === EXIT.ok && read("out.jsonl").replaceAll(/-[\da-f]{16}(?=")/g, "-hash");
      return { stdout, outcome: [exitCode, stderr, branches] };
    };
    const { stdout, outcome } = await importWith(DEEP);
    if (stdout.includes("(nesting-depth)")) expect(outcome[0]).toBe(EXIT.findings);
    else expect(outcome).toEqual((await importWith('{"b":2}')).outcome);
  },
);
