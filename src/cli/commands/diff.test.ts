import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { findErrors } from "#generated/index.js";
import { createFrozenRepository } from "../../../conformance/registry/testing/frozen-repository.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const home = vi.hoisted(() => ({ root: "" }));
vi.mock(import("../../base/package.js"), async (importOriginal) => ({
  ...(await importOriginal()),
  packageRoot: () => home.root,
}));

const frozen = createFrozenRepository();
home.root = frozen.root;
const folder = createTestFolder();
afterAll(() => {
  folder.remove();
  frozen.remove();
});

const RELEASED = "released:rollout-wire/v1";
const SCHEMA = readFileSync(join(frozen.root, "schema/rollout-wire.schema.json"), "utf8");

/** Writes the rollout-wire schema with a part of its text replaced. */
function writeChanged(name: string, before: string, after: string): void {
  const changed = SCHEMA.replace(before, after);
  expect(changed).not.toBe(SCHEMA);
  writeFileSync(join(folder.path, name), changed);
}

test("a version compared with itself", async () => {
  expect(await folder.run(["diff", RELEASED, "rollout-wire/v1"])).toEqual({
    exitCode: EXIT.ok,
    stdout: [
      "backward  compatible    new readers accept all old data  (declared-writer)",
      "forward   compatible    old readers accept all new data  (declared-writer, a note)",
      "",
      "In other compatibility modes:",
      "  --lens validate         backward compatible, forward compatible",
      "  --lens typescript       compatible",
      "  --lens python           compatible",
      "",
    ].join("\n"),
    stderr: "bump: none\n",
  });
});

test("a new description is a harmless patch", async () => {
  writeChanged("described.json", '"description": "', '"description": "Now: ');
  const { exitCode, stdout, stderr } = await folder.run(["diff", RELEASED, "described.json"]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, "bump: patch\n"]);
  expect(stdout).toContain(
    "\nAlso changed:\n  M1 documentation-changed   described.json:5:18   the document description changed   harmless\n",
  );
});

test("a field that becomes required breaks backward, with a record as proof", async () => {
  const document = JSON.parse(SCHEMA);
  document.$defs.PpoRecord.required.push("completion_tokens");
  writeFileSync(join(folder.path, "required.json"), JSON.stringify(document, null, 2));
  const { exitCode, stdout, stderr } = await folder.run(["diff", RELEASED, "required.json"]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stderr).toBe(
    "bump: major.  Repositories to move, in order: trace-pipeline, bscode, wasmagent-js, then eliza-rollout-plugin.\n",
  );
  const [backward, forward, , head, place, proof, witness = "", fix, fingerprint] =
    stdout.split("\n");
  expect(backward).toBe(
    "backward  breaking      new readers reject data that is valid today  (declared-writer)",
  );
  expect(forward).toBe(
    "forward   compatible    old readers accept all new data  (declared-writer, a note)",
  );
  expect(head).toBe(
    "R3 undeclared-required   PpoRecord /completion_tokens is required now, though it is not declared   breaks backward",
  );
  expect(place).toMatch(
    /^ {4}required\.json:\d+:\d+ {2}\/\$defs\/PpoRecord\/required\/5 {3}was schema\/released\/rollout-wire\/v1\.schema\.json:\d+:\d+$/,
  );
  expect(proof).toBe("    this PpoRecord is valid before and not after:");
  expect(JSON.parse(witness)).toMatchObject({ prompt: "a", reward: 0 });
  expect(fix).toMatch(/^ {4}fix: make the property optional, or /);
  expect(fingerprint).toMatch(/^ {4}fingerprint: [0-9a-f]{16}$/);
});

test("a widened type breaks forward, and requires a minor version", async () => {
  const document = JSON.parse(SCHEMA);
  document.$defs.PpoRecord.required = document.$defs.PpoRecord.required.slice(1);
  writeFileSync(join(folder.path, "optional.json"), JSON.stringify(document));
  const args = [
    "diff",
    RELEASED,
    "optional.json",
    "--format",
    "json",
    "--lens",
    "validate",
    "--direction",
    "backward",
    "forward",
  ];
  const { exitCode, stdout, stderr } = await folder.run(args);
  expect([exitCode, stderr.split(".")[0]]).toEqual([EXIT.findings, "bump: minor"]);
  const report: unknown = JSON.parse(stdout);
  expect(findErrors("DiffReport", report)).toEqual([]);
  expect(report).toMatchObject({
    backward: { verdict: "compatible" },
    forward: { verdict: "breaking" },
    bump: "minor",
    findings: [
      {
        rule: "R4",
        severity: "error",
        direction: "forward",
        lens: "validate",
        types: ["PpoRecord"],
        path: "/prompt",
        pointer_old: "/$defs/PpoRecord/required/0",
        pointer_new: "/$defs/PpoRecord",
        witness: {},
      },
      { rule: "R4", severity: "warning", direction: "forward", lens: "declared-writer" },
      { rule: "R4", severity: "warning", direction: "backward", lens: "typescript" },
      { rule: "R4", severity: "warning", direction: "backward", lens: "python" },
    ],
  });
  // Old readers were not selected, so there is no error.
  const backward = await folder.run([...args.slice(0, 3), "--direction", "backward"]);
  expect(backward.exitCode).toBe(EXIT.ok);
  expect(backward.stdout).toMatch(
    /R4 required-removed {3}optional\.json:\d+:\d+ {3}PpoRecord \/prompt is no longer required {3}breaks/,
  );
});

test("a corpus shows how many real records break, and the first of them", async () => {
  const schemas = [{ properties: { a: true } }, { properties: { a: { type: "string" } } }];
  for (const [index, schema] of schemas.entries()) {
    writeFileSync(join(folder.path, `${index}.json`), JSON.stringify(schema));
  }
  writeFileSync(
    join(folder.path, "corpus.jsonl"),
    '{"a": "x"}\n{"a": 1}\n[]\n{"a": 2}\n{"a": ""}\n',
  );
  const args = ["diff", "0.json", "1.json", "--corpus", "corpus.jsonl"];
  const { exitCode, stderr } = await folder.run(args);
  expect(exitCode).toBe(EXIT.findings);
  expect(stderr.split("\n").slice(0, 3)).toEqual([
    "corpus of 4 records: 1 line unreadable",
    "  backward  2 of 4 valid records break, first corpus.jsonl:2  /a  must be a string, is 1 (type)",
    "  forward   0 of 2 valid records break",
  ]);
  const { stdout } = await folder.run([...args, "--format", "json"]);
  const report: unknown = JSON.parse(stdout);
  expect(findErrors("DiffReport", report)).toEqual([]);
  expect(report).toMatchObject({
    corpus: {
      records: 4,
      unreadable: 1,
      rejected: 0,
      backward: { accepted: 4, broken: 2, first: { line: 2, pointer: "/a", keyword: "type" } },
      forward: { accepted: 2, broken: 0 },
    },
  });
});

test("a break that a union hides is a warning in every format, and asks for a major version", async () => {
  const write = (name: string, type: string): string => {
    const $defs = { Open: { type: "object", properties: { path: { type } } }, Ext: {} };
    const anyOf = [{ $ref: "#/$defs/Open" }, { $ref: "#/$defs/Ext" }];
    return folder.write(name, JSON.stringify({ properties: { x: { anyOf } }, $defs }));
  };
  write("one.json", "string");
  write("two.json", "integer");
  const said = "is compatible only because `Ext` accepts anything; by itself `Open` breaks";
  const run = (...args: string[]) => folder.run(["diff", "one.json", "two.json", ...args]);
  const { exitCode, stdout, stderr } = await run();
  expect([exitCode, stderr]).toEqual([EXIT.ok, "bump: major\n"]);
  expect(stdout).toContain(`X8 covered   /x ${said}   backward, by itself\n`);
  expect(stdout).toContain('this Open is valid before and not after:\n    {"path":""}\n');
  const report: unknown = JSON.parse((await run("--format", "json")).stdout);
  expect(findErrors("DiffReport", report)).toEqual([]);
  const hidden = { rule: "X8", severity: "warning", verdict: "compatible", types: ["Open"] };
  expect(report).toMatchObject({
    verdict: "compatible",
    bump: "major",
    findings: expect.arrayContaining([
      expect.objectContaining({ ...hidden, witness: { path: "" }, direction: "backward" }),
    ]),
  });
  expect((await run("--format", "github")).stdout).toContain(`/x ${said}`);
  const [plain] = (await run("--format", "changelog")).stdout.replaceAll(/\s+/g, " ").split("\n");
  expect(plain).toContain(
    "Compatible only because `Ext` accepts anything; by itself `Open` breaks.",
  );
  expect((await run("--format", "markdown")).stdout).toContain("**X8 covered** `/x` is compatible");
  const forward = await run("--direction", "forward", "--lens", "validate");
  expect(forward.stdout).toContain("X8 covered   /x");
  expect(forward.stdout).toContain("this Open is valid after and not before:");
});

test("a corpus prints the allowed values, as validate does", async () => {
  const write = (name: string, text: string): string => folder.write(name, text);
  write("any.json", '{"properties": {"status": {"type": "string"}}}');
  write("some.json", '{"properties": {"status": {"enum": ["pass", "fail"]}}}');
  write("builds.jsonl", '{"status": "success"}\n');
  const { stderr } = await folder.run([
    "diff",
    "any.json",
    "some.json",
    "--corpus",
    "builds.jsonl",
  ]);
  expect(stderr).toContain(
    'first builds.jsonl:1  /status  must be "pass" or "fail", is "success" (enum)\n',
  );
});

test("the schema file of this package has the number that follows", async () => {
  const file = join(frozen.root, "schema/rollout-wire.schema.json");
  const changed = SCHEMA.replace(/("RolloutBranch": \{[\s\S]*?"required": \[)/, '$1 "seed",');
  writeFileSync(file, changed);
  try {
    const args = ["diff", RELEASED, "rollout-wire/v1", "--format"];
    const { stdout } = await folder.run([...args, "changelog"]);
    expect(stdout).toMatch(
      /^- `rollout-wire` (\d+)\.0\.0: `RolloutBranch\.seed`\. Readers of \1\.0\.0 reject records of \d/,
    );
    const markdown = await folder.run([...args, "markdown"]);
    const [, version = "none"] = /` (\S+):/.exec(stdout) ?? [];
    expect(markdown.stdout).toContain(` to ${version} |`);
  } finally {
    writeFileSync(file, SCHEMA);
  }
});

describe("format is asserted where the configuration says so, or on request", () => {
  const before = { $id: "https://x.example/a", type: "string" };
  const write = (name: string, value: object) => {
    mkdirSync(join(folder.path, name, ".."), { recursive: true });
    folder.write(name, JSON.stringify(value));
  };
  const writeConfig = (formats: string) =>
    write("repo/rollout-wire.config.json", { schemas: { formats } });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@x.example", ...args], {
      cwd: join(folder.path, "repo"),
      stdio: "pipe",
    });
  const diff = async (...args: readonly string[]) => {
    const { exitCode, stdout } = await folder.run(["diff", ...args]);
    const [, said] = /now has format "email", (an annotation|asserted)/.exec(stdout) ?? [];
    return [exitCode, said];
  };
  const ASSERTED = [EXIT.findings, "asserted"];
  const ANNOTATED = [EXIT.ok, "an annotation"];

  test("two files", async () => {
    write("repo/schemas/text.json", before);
    write("repo/schemas/email.json", { ...before, format: "email" });
    write("email.json", { ...before, format: "email" });
    const files = ["repo/schemas/text.json", "repo/schemas/email.json"];
    expect(await diff(...files)).toEqual(ANNOTATED);
    expect(await diff(...files, "--formats", "assert")).toEqual(ASSERTED);
    writeConfig("assert");
    expect(await diff(...files)).toEqual(ASSERTED);
    expect(await diff("repo/schemas/text.json", "email.json")).toEqual(ASSERTED);
    expect(await diff(...files, "--formats", "annotate")).toEqual(ANNOTATED);
    writeConfig("annotate");
    expect(await diff(...files)).toEqual(ANNOTATED);
  });

  test.each([
    ["annotate", ANNOTATED],
    ["assert", ASSERTED],
  ])("a range of commits, and a file at a commit: %s", async (formats, expected) => {
    writeConfig(formats);
    write("repo/schemas/a.schema.json", before);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "one");
    write("repo/schemas/a.schema.json", { ...before, format: "email" });
    git("commit", "--quiet", "--all", "--message", "two");
    // From a folder below the configuration.
    const cwd = join(folder.path, "repo/schemas");
    for (const args of [["HEAD~1..HEAD"], ["HEAD~1:a.schema.json", "HEAD:a.schema.json"]]) {
      const { exitCode, stdout } = await folder.run(["diff", ...args], { cwd });
      expect([exitCode, stdout]).toEqual([
        expected[0],
        expect.stringContaining(`"email", ${expected[1]}`),
      ]);
    }
  });

  test("the published schemas of this package", async () => {
    writeChanged("formatted.json", '"type": "string"', '"type": "string", "format": "email"');
    expect(await diff(RELEASED, "formatted.json")).toEqual(ASSERTED);
  });
});

test("a lens selects what counts as a break", async () => {
  writeFileSync(join(folder.path, "few.json"), '{"properties": {"a": {}}}');
  writeFileSync(
    join(folder.path, "more.json"),
    '{"properties": {"a": {}, "b": {"type": "string"}}}',
  );
  const exitCodeFor = async (...args: string[]) =>
    (await folder.run(["diff", "few.json", "more.json", ...args])).exitCode;
  expect(await exitCodeFor()).toBe(EXIT.ok);
  expect(await exitCodeFor("--lens", "validate")).toBe(EXIT.findings);
  expect(await exitCodeFor("--lens", "declared-writer", "validate")).toBe(EXIT.findings);
  expect(await exitCodeFor("--lens", "typescript", "python")).toBe(EXIT.ok);
  const { exitCode, stdout } = await folder.run([
    "diff",
    "more.json",
    "few.json",
    "--lens",
    "python",
  ]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toContain("python: code that names it fails with an AttributeError");
});

test.each(["junit", "sarif", "github"])(
  "%s names the rule, the file and the line",
  async (format) => {
    writeFileSync(join(folder.path, "open.json"), '{\n  "type": "object"\n}\n');
    writeFileSync(
      join(folder.path, "closed.json"),
      '{\n  "type": "object",\n  "additionalProperties": false\n}\n',
    );
    const { exitCode, stdout } = await folder.run([
      "diff",
      "open.json",
      "closed.json",
      "--format",
      format,
    ]);
    expect(exitCode).toBe(EXIT.findings);
    for (const said of ["closed.json", "A1", "rejects undeclared properties now"]) {
      expect(stdout).toContain(said);
    }
    expect(stdout).toMatch(
      { junit: /closed\.json:3:27/, sarif: /"startLine": 3/, github: /line=3/ }[format] ?? /$^/,
    );
  },
);

test("SARIF contains the fingerprint by which a change is approved", async () => {
  writeFileSync(join(folder.path, "one.json"), '{"minimum": 1}');
  writeFileSync(join(folder.path, "two.json"), '{"minimum": 2}');
  const run = async (format: string): Promise<string> =>
    (await folder.run(["diff", "one.json", "two.json", "--format", format])).stdout;
  const [, fingerprint] = /fingerprint: ([0-9a-f]{16})\n/.exec(await run("text")) ?? [];
  const { runs } = JSON.parse(await run("sarif"));
  expect(fingerprint).toBeDefined();
  expect(runs[0].results[0].partialFingerprints).toMatchObject({ "change/v1": fingerprint });
});

test("a byte-order mark is ignored", async () => {
  writeFileSync(join(folder.path, "plain.json"), '{"type": "string"}');
  writeFileSync(join(folder.path, "marked.json"), '\ufeff{"type": "string"}');
  const { exitCode, stderr } = await folder.run(["diff", "plain.json", "marked.json"]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, "bump: none\n"]);
});

describe("a corpus that proves nothing is reported", () => {
  test.each<[what: string, text: string, exitCode: number, said: string]>([
    ["empty", "", EXIT.unreadable, "the corpus proves nothing: it contains no record"],
    ["unreadable", "[]\n", EXIT.unreadable, "the corpus proves nothing: it contains no record"],
    ["invalid", '{"a": 1}\n', EXIT.unreadable, "none of its records is valid in either version"],
    [
      "partly unreadable",
      '{"a": "x"}\n?\n',
      EXIT.unreadable,
      "not read in full: 1 line unreadable",
    ],
    ["whole", '{"a": "x"}\n', EXIT.ok, "corpus found in 1 file: records/one.jsonl"],
  ])("%s", async (_what, text, expected, said) => {
    const schema = { properties: { a: { type: "string" } } };
    writeFileSync(join(folder.path, "same.json"), JSON.stringify(schema));
    mkdirSync(join(folder.path, "records"), { recursive: true });
    writeFileSync(join(folder.path, "records", "one.jsonl"), text);
    const args = ["diff", "same.json", "same.json", "--corpus", "records"];
    const { exitCode, stderr } = await folder.run(args);
    expect(stderr).toContain(said);
    expect(exitCode).toBe(expected);
  });
});

test("an undecided comparison is exit 4", async () => {
  writeFileSync(join(folder.path, "one.json"), '{"$ref": "https://a.example/1"}');
  writeFileSync(join(folder.path, "other.json"), '{"$ref": "https://a.example/2"}');
  const { exitCode, stdout } = await folder.run(["diff", "one.json", "other.json"]);
  expect(exitCode).toBe(EXIT.undecided);
  expect(stdout).toContain(
    "M5 unread-part-changed   the document was what nobody can read, https://a.example/1, is what nobody can read, https://a.example/2",
  );
  expect(stdout).toContain("nobody knows what https://a.example/2 accepts");
});

test("a file in git, with its neighbours, from a subfolder", async () => {
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
  // The keyword is in the neighbour, so no position in the schema itself is reported.
  expect(stdout).toContain(
    "T3 type-changed   the document allows other types: was string, is number, in b.schema.json   breaks backward",
  );
  expect(stdout).toContain("\n    a.schema.json:1:1     was HEAD:a.schema.json:1:1\n");
});

describe("user errors are one line", () => {
  test.each<[string[], number, string]>([
    [["one"], EXIT.usage, "diff needs two versions, or a range of commits"],
    [["one", "two", "three"], EXIT.usage, "diff needs two versions"],
    [["none.json", RELEASED], EXIT.unreadable, "none.json: no such file, nor is it released:"],
    [["released:none/v1", RELEASED], EXIT.unreadable, "none/v1: no such schema was published"],
    [["released:rollout-wire/v99", RELEASED], EXIT.unreadable, "published versions are "],
    [["rollout-wire/v99", RELEASED], EXIT.unreadable, "this package has rollout-wire "],
    [["none/v1", RELEASED], EXIT.unreadable, "this package has no schema of that name"],
    [["deep.json", RELEASED], EXIT.unreadable, "deep.json: is nested more than 200 levels deep"],
    [["percent.json", RELEASED], EXIT.unreadable, 'percent.json: "$ref" cannot be resolved: #/%zz'],
    [["none:a.json", RELEASED], EXIT.unreadable, "none: no such commit in this repository"],
    [["--x:a.json", RELEASED], EXIT.usage, "unknown option"],
    [["text.json", RELEASED], EXIT.unreadable, "text.json:2:7  is not JSON"],
    [["list.json", RELEASED], EXIT.unreadable, "list.json: is not a schema"],
    [["draft-3.json", RELEASED], EXIT.unreadable, "draft-3.json: has the dialect http://json-"],
  ])("%j", async (args, expected, said) => {
    for (const [name, text] of [
      ["text.json", '{\n"type"'],
      ["list.json", "[]"],
      ["draft-3.json", '{"$schema": "http://json-schema.org/draft-03/schema#"}'],
      [
        "odd.schema.json",
        '{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://odd", "type": 7}',
      ],
      ["deep.json", `${'{"not":'.repeat(5000)}{}${"}".repeat(5000)}`],
      ["percent.json", '{"$ref": "#/%zz"}'],
    ] as const) {
      writeFileSync(join(folder.path, name), text);
    }
    const { exitCode, stdout, stderr } = await folder.run(["diff", ...args]);
    expect([exitCode, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
});
