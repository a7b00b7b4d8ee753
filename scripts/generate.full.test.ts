import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  copySchemas,
  duplicateCopy,
  type RepositoryCopy,
} from "../src/base/testing/copy-repository.js";
import { generateFiles } from "../src/contract/codegen/generate-files.js";
import { findFresh, printFingerprint } from "./fingerprint.js";
import { run } from "./generate.js";
import { REPO_ROOT } from "./run-script.js";
import { runInProcess } from "./testing/run-in-process.js";

/** A repository with few schemas and fresh code, which each test copies. */
let fresh: RepositoryCopy;
let copy: RepositoryCopy;
const generate = (...flags: string[]) => runInProcess(run, flags, { root: copy.root });

beforeAll(async () => {
  fresh = copySchemas(["adapter-protocol"], ["package.json"]);
  expect((await runInProcess(run, [], { root: fresh.root })).status).toBe(0);
});

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
    /\d+ of \d+ generated files are not fresh. {2}Fix: {2}npm run generate\n$/,
  );

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

test("an edited file whose hash was recorded too turns it red", async () => {
  const file = "generated/python/rollout_wire/adapter_protocol.py";
  copy.edit(file, (text) => text.replace("len(_type) < 1", "len(_type) < 0"));
  const { files } = await generateFiles(copy.root);
  const text = readFileSync(join(copy.root, file), "utf8");
  const forged = files.map((each) => (each.path === file ? { path: file, text } : each));
  const { path, text: record } = await printFingerprint(copy.root, forged);
  writeFileSync(join(copy.root, path), record);
  expect(await findFresh(copy.root)).toBeDefined();
  const { status, stdout } = await generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain(file);
});

test("a missing and an unexpected file turn it red, and generate fixes both", async () => {
  rmSync(join(copy.root, "generated/typescript/index.js"));
  writeFileSync(join(copy.root, "generated/typescript/stray.js"), "");
  const { status, stdout } = await generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("generated/typescript/index.js: missing\n");
  expect(stdout).toContain("generated/typescript/stray.js: unexpected, no schema generates it\n");

  expect((await generate()).status).toBe(0);
  expect((await generate("--check")).status).toBe(0);
});

test("a link in place of a generated file is replaced, not followed", async () => {
  rmSync(join(copy.root, "generated/typescript/index.js"));
  symlinkSync(join(copy.root, "package.json"), join(copy.root, "generated/typescript/index.js"));
  const manifest = readFileSync(join(copy.root, "package.json"), "utf8");
  expect((await generate("--check")).status).toBe(1);
  expect((await generate()).status).toBe(0);
  expect((await generate("--check")).status).toBe(0);
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
    text.replaceAll('"type": "integer"', '"type": "integer", "multipleOf": 2'),
  );
  const { status, stderr } = await generate("--check");
  expect(status).toBe(1);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(line).toMatch(
      /^schema\/adapter-protocol\.schema\.json:\d+:\d+ {2}\/\$defs\/\S+\/multipleOf {2}uses "multipleOf" /,
    );
  }
  expect(new Set(lines).size).toBe(lines.length);
});

test("an unknown flag suggests the closest one and exits with 2", async () => {
  const { status, stderr } = await generate("--chek");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "unknown option '--chek' (Did you mean --check?)  Help:  npm run generate -- --help\n",
  );
});

test("--help explains purpose and options", async () => {
  const { status, stdout, stderr } = await generate("--help");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^Usage: generate \[options\]\n\nWrites all code in generated\/ .*\n\nOptions:\n {2}--check /,
  );
});

/** The check `generated-fresh` compares hashes only, if they are right. */
test("generate --check is green on this repository", async () => {
  const { status, stdout } = await runInProcess(run, ["--check"], { root: REPO_ROOT });
  expect(stdout).toMatch(
    /^generated code: \d+ files from \d+ schemas, and 2 lists of their hashes, fresh\n$/,
  );
  expect(status).toBe(0);
});

test("two generations record the same", async () => {
  const before = await findFresh(copy.root);
  expect((await generate()).status).toBe(0);
  expect(await findFresh(copy.root)).toEqual(before);
});
