import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

function write(path: string, schema: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(schema, null, 2));
}

const record = { type: "object", properties: { id: { $ref: "../common/base.json#/$defs/id" } } };

beforeEach(() => {
  for (const version of ["old", "new"])
    rmSync(join(folder.path, version), { recursive: true, force: true });
  for (const [version, type] of [
    ["old", "string"],
    ["new", "integer"],
  ]) {
    write(`${version}/wire/record.json`, record);
    write(`${version}/common/base.json`, { $defs: { id: { type } } });
  }
});

test("a reference by path leads to the file of its own version, which the finding names", async () => {
  const args = ["diff", "old/wire/record.json", "new/wire/record.json"];
  const { exitCode, stdout, stderr } = await folder.run(args);
  // The text of the schema itself is the same.
  expect([exitCode, stderr]).toEqual([EXIT.findings, "bump: major\n"]);
  const changelog = await folder.run([...args, "--format", "changelog"]);
  expect(changelog.stdout).toMatch(/^- `record` \(major\): `id`\. New readers reject old records/);
  expect(stdout).toContain(
    "T3 type-changed   /id allows other types: was string, is integer, in new/common/base.json /$defs/id   breaks backward",
  );
});

test("a reference by path is resolved in the commit of its version", async () => {
  const git = (...args: string[]): void => {
    const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    execFileSync("git", [...who, ...args], { cwd: folder.path, stdio: "pipe" });
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  write("old/common/base.json", { $defs: { id: { type: "string", minLength: 1 } } });
  const { exitCode, stdout } = await folder.run([
    "diff",
    "HEAD:old/wire/record.json",
    "old/wire/record.json",
  ]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toContain("S1 ");
  expect(stdout).toContain("in old/common/base.json /$defs/id");
});

test("a broken file counts only if the schema needs it, by references of its own or of others", async () => {
  writeFileSync(join(folder.path, "old/wire/broken.json"), "{");
  write("old/wire/neighbour.json", { $ref: "broken.json" });
  const args = ["diff", "old/wire/record.json", "old/wire/record.json"];
  expect((await folder.run(args)).exitCode).toBe(EXIT.ok);
  write("old/common/base.json", { $defs: { id: { $ref: "../wire/neighbour.json" } } });
  const { exitCode, stdout, stderr } = await folder.run(args);
  expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
  expect(stderr).toMatch(/^old\/wire\/broken\.json:1:2 /);
});

test("--schemas says where references lead: to a folder, a file or a pattern", async () => {
  const $ref = "https://schemas.example/common/base.json#/$defs/id";
  write("old/wire/record.json", { $ref });
  write("new/wire/record.json", { $ref, minLength: 1 });
  write("old/common/named.json", {
    $id: "https://schemas.example/common/base.json",
    $defs: { id: { type: "integer" } },
  });
  const args = ["diff", "old/wire/record.json", "new/wire/record.json"];
  const without = await folder.run(args);
  expect(without.exitCode).toBe(EXIT.undecided);
  expect(without.stdout).toContain(`nobody knows what ${$ref} accepts`);
  for (const schemas of ["old", "old/common/", "old/common/*.json", "old/common/named.json"]) {
    const { exitCode, stdout } = await folder.run([...args, "--schemas", schemas]);
    expect([exitCode, stdout]).toEqual([EXIT.ok, expect.stringContaining("S1 ")]);
  }
  const missing = await folder.run([...args, "--schemas", "nowhere"]);
  expect([missing.exitCode, missing.stderr]).toEqual([
    EXIT.unreadable,
    "nowhere: no such file or folder\n",
  ]);
});

test("what lies beside a schema changes neither its verdict nor a word of it", async () => {
  const $id = "https://schemas.example/record.json";
  const kinds = (values: string[]) => ({
    $id,
    type: "object",
    properties: { kind: { enum: values }, next: { $ref: "#/$defs/next" } },
    $defs: { next: { $dynamicAnchor: "node", items: { $dynamicRef: "#node" } }, unused: {} },
  });
  write("old/wire/record.json", kinds(["a", "b"]));
  write("new/wire/record.json", kinds(["a"]));
  const args = ["diff", "old/wire/record.json", "new/wire/record.json"];
  const alone = await folder.run(args);
  expect([alone.exitCode, alone.stdout]).toEqual([
    EXIT.findings,
    expect.stringContaining("this record is valid before and not after"),
  ]);
  const neighbours: Record<string, unknown> = {
    "pointer-id": { properties: { x: { $id: "#/properties/x", type: "string" } } },
    "broken-schema": { type: 1 },
    copy: { ...kinds(["z"]), $schema: "http://json-schema.org/draft-07/schema#" },
    user: { $ref: "record.json#/$defs/unused" },
    anchors: { $defs: { a: { $anchor: "x" }, b: { $anchor: "x", type: "null" } } },
    dynamic: { $id: "https://schemas.example/other", $dynamicAnchor: "node" },
    recursive: {
      $schema: "https://json-schema.org/draft/2019-09/schema",
      $id: "https://schemas.example/recursive",
      $recursiveAnchor: true,
      items: { $recursiveRef: "#" },
    },
  };
  for (const [name, schema] of Object.entries(neighbours)) {
    for (const version of ["old", "new"]) write(`${version}/wire/${name}.json`, schema);
  }
  writeFileSync(join(folder.path, "new/wire/text.json"), "{");
  expect(await folder.run(args)).toEqual(alone);
});

describe("a schema that nobody has here", () => {
  const address = "https://schemas.example/base.json#/definitions/license";
  const version = (...kinds: string[]) => ({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { lic: { $ref: address }, more: { $ref: address }, kind: { enum: kinds } },
  });
  const args = ["diff", "old/wire/record.json", "new/wire/record.json", "--format"];

  test("is a condition of what is compatible, told once", async () => {
    write("old/wire/record.json", version("a"));
    write("new/wire/record.json", version("a", "b"));
    const said = `if ${address} did not change`;
    const text = await folder.run([...args, "text"]);
    expect([text.exitCode, text.stdout.split(said).length]).toEqual([EXIT.ok, 2]);
    const json: unknown = JSON.parse((await folder.run([...args, "json"])).stdout);
    expect(findErrors("DiffReport", json)).toEqual([]);
    expect(json).toMatchObject({ if_unchanged: [address], verdict: "compatible" });
    const markdown = await folder.run([...args, "markdown"]);
    expect(markdown.stdout).toContain(`if \`${address}\` did not change`);
    for (const format of ["github", "changelog", "html"]) {
      expect((await folder.run([...args, format])).stderr).toContain(said);
    }
  });

  test("does not hide what breaks beside it", async () => {
    write("old/wire/record.json", version("a", "b"));
    write("new/wire/record.json", version("a"));
    const { exitCode, stdout } = await folder.run([...args, "text"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain('{"kind":"b"}');
  });

  test("leaves undecided what changes at its place, by its address", async () => {
    write("old/wire/record.json", version("a"));
    const { properties, ...rest } = version("a");
    write("new/wire/record.json", {
      ...rest,
      properties: { ...properties, lic: { maxLength: 3 } },
    });
    const { exitCode, stdout } = await folder.run([...args, "text"]);
    expect(exitCode).toBe(EXIT.undecided);
    expect(stdout).toContain(`nobody knows what ${address} accepts`);
  });
});

test("one definition of a document is compared with a document that is one type", async () => {
  const dpo = { type: "object", properties: { chosen: { type: "string" } }, required: ["chosen"] };
  write("all.json", { $defs: { DpoRecord: dpo, PpoRecord: { type: "object" } } });
  write("dpo.json", { ...dpo, required: [] });
  const { exitCode, stdout } = await folder.run(["diff", "all.json#/$defs/DpoRecord", "dpo.json"]);
  expect(exitCode).toBe(EXIT.ok);
  expect(stdout).toContain("compared  DpoRecord with the document\n");
  expect(stdout).not.toContain("PpoRecord");
  const reversed = await folder.run(["diff", "dpo.json", "all.json#/$defs/DpoRecord"]);
  expect(reversed.exitCode).toBe(EXIT.findings);
  const wrong = await folder.run(["diff", "all.json#/$defs/Nobody", "dpo.json"]);
  expect(wrong.exitCode).toBe(EXIT.unreadable);
  expect(wrong.stderr).toContain("#/$defs/Nobody");
});

test("a schema of draft-07 is read, and positions are those of its own text", async () => {
  const draft = { $schema: "http://json-schema.org/draft-07/schema#", type: "array" };
  write("old.json", { ...draft, items: [{ type: "number" }], additionalItems: false });
  write("new.json", { ...draft, items: [{ type: "integer" }], additionalItems: false });
  const { stdout } = await folder.run(["diff", "old.json", "new.json"]);
  expect(stdout).toContain("dialect   draft-07\n");
  expect(stdout).toMatch(/new\.json:6:\d+ {2}\/items\/0\/type {3}was old\.json:6:\d+/);
});

test("removing a required property is major, although old data stays valid", async () => {
  const before = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  write("old.json", before);
  write("new.json", { type: "object" });
  const { exitCode, stderr } = await folder.run(["diff", "old.json", "new.json"]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, "bump: major\n"]);
});

test("a new optional property passes, and the note says that --lens validate would not", async () => {
  const text = { type: "string" };
  write("old.json", { type: "object", properties: { a: text } });
  write("new.json", { type: "object", properties: { a: text, b: text } });
  const { exitCode, stdout } = await folder.run(["diff", "old.json", "new.json"]);
  expect(exitCode).toBe(EXIT.ok);
  expect(stdout).toContain("breaks backward (validate)");
  expect(stdout).toContain("--lens validate         backward breaking, forward compatible");
});

test("a part that its dialect does not allow is told, and equal where its text is equal", async () => {
  const faulty = {
    properties: { a: { required: true }, b: { pattern: "(?i)x" }, c: { type: "null" } },
  };
  const write07 = (path: string, schema: object) =>
    write(path, { $schema: "http://json-schema.org/draft-07/schema#", ...schema });
  write07("old/f.json", faulty);
  write07("new/f.json", { ...faulty, title: "new" });
  const same = await folder.run(["diff", "old/f.json", "new/f.json"]);
  expect(same.exitCode).toBe(EXIT.ok);
  expect(same.stdout.match(/not read: .*/g)).toEqual([
    "not read: new/f.json /properties/a/required: is not a schema of draft-07: must be array",
    'not read: new/f.json /properties/b/pattern: is not a schema of draft-07: "(?i)x" is not an ECMAScript pattern',
  ]);
  write07("new/f.json", { properties: { ...faulty.properties, a: { required: "a" }, c: false } });
  const other = await folder.run(["diff", "old/f.json", "new/f.json", "--format", "json"]);
  const report = JSON.parse(other.stdout);
  expect(findErrors("DiffReport", report)).toEqual([]);
  expect([report.backward.verdict, report.forward.verdict]).toEqual(["breaking", "undecided"]);
  expect(report.not_read).toHaveLength(2);
  const { exitCode } = await folder.run([
    "diff",
    "old/f.json",
    "new/f.json",
    "--format",
    "markdown",
  ]);
  expect(exitCode).toBe(EXIT.findings);
});

test("a schema that is not UTF-8, and a reference to one of several named schemas, are refused", async () => {
  writeFileSync(join(folder.path, "bytes.json"), Buffer.from('{"const":"\xff"}', "latin1"));
  const bytes = await folder.run(["diff", "bytes.json", "bytes.json"]);
  expect([bytes.exitCode, bytes.stderr]).toEqual([EXIT.unreadable, "bytes.json: is not UTF-8\n"]);
  const $id = "https://schemas.example/twice.json";
  write("old/r.json", { $ref: $id });
  write("old/lib/a.json", { $id, type: "string" });
  write("old/lib/b.json", { $id, type: "number" });
  const twice = await folder.run(["diff", "old/r.json", "old/r.json", "--schemas", "old/lib"]);
  expect(twice.exitCode).toBe(EXIT.unreadable);
  expect(twice.stderr).toContain(`"$ref" is ambiguous: ${$id} (several schemas have this name)`);
});
