import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { EXIT } from "../../../base/user-error.js";
import { createGitRepository, type GitRepository } from "./testing/git-repository.js";

let repository: GitRepository;
beforeEach(() => {
  repository = createGitRepository();
});
afterEach(() => repository.remove());

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const text = { type: "string" };
const whole = { type: "integer" };

/** A schema with one property, which refers to another schema. */
const order = ($ref: string, more: object = {}): object => ({
  $schema: DIALECT,
  type: "object",
  properties: { id: { $ref } },
  ...more,
});
const base = (id: object): object => ({ $defs: { id, unused: text } });

const diff = (...args: string[]) => repository.run(["diff", "HEAD~1..HEAD", ...args]);

/** The heads of the sections, and the last line. */
async function rowsOf(...args: string[]): Promise<{ exitCode: number; rows: string[] }> {
  const { exitCode, stdout } = await diff(...args);
  return { exitCode, rows: stdout.match(/^\S+ {2}\((?:added|changed|removed|not).*\)$/gm) ?? [] };
}

describe("a schema counts as changed if what it refers to changed", () => {
  test("outside of the named folder, in every format", async () => {
    repository.commit({
      "api/order.json": order("../common/base.json#/$defs/id"),
      "api/other.json": { $schema: DIALECT, ...text },
      "common/base.json": base(text),
    });
    repository.commit({ "common/base.json": base(whole) });
    const { exitCode, stdout } = await diff("api/");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain("api/order.json  (changed through common/base.json)\n");
    expect(stdout).toContain("T3 type-changed   /id allows other types");
    expect(stdout).toContain("\nbump: major\n");
    expect(stdout).toMatch(/\n1 changed schema, 1 of which breaks, or may break\n$/);
    const json: unknown = JSON.parse((await diff("api/", "--format", "json")).stdout);
    expect(findErrors("RangeDiffReport", json)).toEqual([]);
    expect(json).toMatchObject({
      schemas: [{ new: "api/order.json", through: ["common/base.json"], bump: "major" }],
      not_compared: [],
    });
    const markdown = await diff("api/", "--format", "markdown");
    expect(markdown.stdout).toContain("| `api/order.json` (changed through common/base.json) |");
    const github = await diff("api/", "--format", "github");
    expect(github.stdout).toContain("::error file=api/order.json,");
    const changelog = await diff("api/", "--format", "changelog");
    expect(changelog.stdout).toMatch(/^- `order` \(major\): `id`\. New readers reject old records/);
  });

  test.each<[what: string, before: Record<string, object>, after: Record<string, object>]>([
    [
      "over several files",
      { "a/one.json": order("two.json"), "a/two.json": order("../b/three"), "b/three.json": text },
      { "b/three.json": whole },
    ],
    [
      "by its $id",
      {
        "a/one.json": order("https://x.example/two"),
        "a/t.json": { $id: "https://x.example/two", ...text },
      },
      { "a/t.json": { $id: "https://x.example/two", ...whole } },
    ],
    [
      "by the $id of a part of it",
      {
        "a/one.json": order("https://x.example/part"),
        "a/t.json": { $id: "https://x.example/two", $defs: { part: { $id: "part", ...text } } },
      },
      { "a/t.json": { $id: "https://x.example/two", $defs: { part: { $id: "part", ...whole } } } },
    ],
    [
      "relative to its own $id",
      {
        "a/one.json": order("two", { $id: "https://x.example/one" }),
        "a/t.json": { $id: "https://x.example/two", ...text },
      },
      { "a/t.json": { $id: "https://x.example/two", ...whole } },
    ],
    [
      "in a circle",
      {
        "a/one.json": order("../b/two.json"),
        "b/two.json": { properties: { one: { $ref: "../a/one.json" }, id: text } },
      },
      { "b/two.json": { properties: { one: { $ref: "../a/one.json" }, id: whole } } },
    ],
  ])("%s", async (_what, before, after) => {
    repository.commit(before);
    repository.commit(after);
    const [through] = Object.keys(after);
    expect(await rowsOf("a/one.json", "--schemas", "a")).toEqual({
      exitCode: EXIT.findings,
      rows: [`a/one.json  (changed through ${through})`],
    });
  });

  test("by a $dynamicRef", async () => {
    const two = (id: object) => ({ $defs: { x: { $anchor: "x", ...id } } });
    repository.commit({
      "a/one.json": { $schema: DIALECT, properties: { id: { $dynamicRef: "../b/two.json#x" } } },
      "b/two.json": two(text),
    });
    repository.commit({ "b/two.json": two(whole) });
    const rows = ["a/one.json  (changed through b/two.json)"];
    expect(await rowsOf("a/one.json", "--schemas", "a")).toEqual({
      exitCode: EXIT.findings,
      rows,
    });
  });

  test("and the references begin in --schemas", async () => {
    const one = order("https://x.example/schemas/two.json");
    repository.commit({ "api/one.json": one, "root/two.json": text });
    repository.commit({ "root/two.json": whole });
    const rooted = await rowsOf("api/", "--schemas", "root/");
    expect(rooted.rows).toEqual(["api/one.json  (changed through root/two.json)"]);
    const missing = await diff("api/", "--schemas", "nowhere");
    expect(missing).toMatchObject({ exitCode: EXIT.unreadable, stdout: "" });
    expect(missing.stderr).toBe("nowhere: no such file or folder in either commit\n");
  });

  test("from a folder below, with paths above it", async () => {
    repository.commit({
      "x/api/one.json": order("../../common/base.json#/$defs/id"),
      "common/base.json": base(text),
    });
    repository.commit({ "common/base.json": base(whole) });
    const cwd = join(repository.path, "x");
    const below = await repository.run(["diff", "HEAD~1..HEAD", "api"], { cwd });
    expect(below.stdout).toContain("api/one.json  (changed through ../common/base.json)\n");
    const above = await repository.run(["diff", "HEAD~1..HEAD", "../x/api"], {
      cwd: join(repository.path, "common"),
    });
    expect(above.stdout).toContain("../x/api/one.json  (changed through base.json)\n");
    repository.commit({ "x/api/one.json": { $schema: DIALECT, required: ["a"] } });
    const own = await repository.run(["diff", "HEAD~1..HEAD", "../x"], {
      cwd: join(repository.path, "common"),
    });
    expect(own.stdout).toContain("../x/api/one.json  (changed)\n");
  });

  test("with hostile names, and through a link", async () => {
    const name = "ä b'\n.json";
    repository.commit({ [`common/${name}`]: text, "real/two.json": text });
    symlinkSync("../real/two.json", join(repository.path, "common/two.json"));
    repository.commit({
      "api/one.json": order(`../common/${encodeURIComponent(name)}`),
      "api/two.json": order("../common/two.json"),
    });
    repository.commit({ [`common/${name}`]: whole, "real/two.json": whole });
    const { exitCode, rows } = await rowsOf("api/");
    expect(exitCode).toBe(EXIT.findings);
    expect(rows).toEqual([
      "api/one.json  (changed through common/ä b'\\u000a.json)",
      "api/two.json  (changed through common/two.json)",
    ]);
  });
});

test("a schema that did not change rests on what nobody has here, and says so", async () => {
  const elsewhere = { "a/one.json": order("https://x.example/two") };
  repository.commit({ ...elsewhere, "b/two.json": { $id: "https://x.example/two", ...text } });
  repository.commit({ "b/two.json": { $id: "https://x.example/two", ...whole } });
  const { exitCode, stdout } = await diff("a/");
  expect(exitCode).toBe(EXIT.ok);
  expect(stdout).toMatch(/^if https:\/\/x\.example\/two did not change: .*\nno schema changed: 1 /);
  const json: unknown = JSON.parse((await diff("a/", "--format", "json")).stdout);
  expect(findErrors("RangeDiffReport", json)).toEqual([]);
  expect(json).toMatchObject({ if_unchanged: ["https://x.example/two"], schemas: [] });
  // The schemas below its paths are named, and so are those of a registry.
  expect((await rowsOf()).rows).toContain("a/one.json  (changed through b/two.json)");
  const names = { name: "two", id: "https://x.example/two", owner: "x", stability: "stable" };
  const lists = { released: [], producers: [], consumers: [] };
  const config = { config_version: "config/v1", repository: "x", artefacts: [] };
  const registry = { schemas: [{ ...names, ...lists, file: "b/two.json", version: "1.0.0" }] };
  repository.commit({
    "rollout-wire.config.json": { ...config, registry: "schema/registry.json" },
    "schema/registry.json": registry,
  });
  repository.commit({ "b/two.json": { $id: "https://x.example/two", ...text } });
  expect((await rowsOf("a/")).rows).toEqual(["a/one.json  (changed through b/two.json)"]);
});

test("what a schema does not use of a changed file does not count", async () => {
  repository.commit({ "api/one.json": order("../base.json#/$defs/id"), "base.json": base(text) });
  repository.commit({ "base.json": { $defs: { id: text, unused: whole } } });
  expect(await diff("api/")).toEqual({
    exitCode: EXIT.ok,
    stdout: "no schema changed: 1 checked, with the files that they refer to\n",
    stderr: "",
  });
});

test("of many schemas that share a file, those that reach its change are compared", async () => {
  const names = Array.from(
    { length: 120 },
    (_, index) => `api/${String(index).padStart(3, "0")}.json`,
  );
  const files = names.map((name, index) => [
    name,
    order(`../base.json#/$defs/${index % 2 === 0 ? "id" : "unused"}`),
  ]);
  repository.commit({ ...Object.fromEntries(files), "base.json": base(text) });
  repository.commit({ "base.json": base(whole) });
  const { rows } = await rowsOf("api/");
  const expected = names.filter((_, index) => index % 2 === 0);
  expect(rows).toEqual(expected.map((name) => `${name}  (changed through base.json)`));
});

describe("a reference that cannot be resolved at one end", () => {
  const one = order("../common/base.json#/$defs/id");
  const others = { "api/other.json": { $schema: DIALECT, ...text } };
  const harmless = { "api/other.json": { $schema: DIALECT, title: "T", ...text } };

  test.each<[what: string, before: object, after: object, said: string]>([
    [
      "a file that was removed",
      { "common/base.json": base(text) },
      { "common/base.json": undefined },
      'api/one.json /properties/id: "$ref" cannot be resolved: ../common/base.json#/$defs/id',
    ],
    [
      "a file that was added",
      {},
      { "common/base.json": base(text) },
      ':api/one.json /properties/id: "$ref" cannot be resolved: ../common/base.json#/$defs/id',
    ],
    [
      "a file that was renamed",
      { "common/base.json": base(text) },
      { "common/base.json": undefined, "common/new.json": base(text) },
      'api/one.json /properties/id: "$ref" cannot be resolved',
    ],
    [
      "a definition that was removed",
      { "common/base.json": base(text) },
      { "common/base.json": { $defs: {} } },
      '"$ref" cannot be resolved',
    ],
    [
      "a file that is no JSON any more",
      { "common/base.json": base(text) },
      { "common/base.json": '{\n "a"' },
      "common/base.json:2:5  is not JSON",
    ],
  ])("%s: the row says so, and the others are compared", async (_what, before, after, said) => {
    repository.commit({ ...before, ...others, "api/one.json": one });
    repository.commit({ ...after, ...harmless });
    const { exitCode, stdout, stderr } = await diff("api/");
    expect([exitCode, stderr]).toEqual([EXIT.unreadable, ""]);
    const [, row = ""] = /\n(api\/one\.json {2}\(not compared\)\n\n[^\n]*)\n/.exec(stdout) ?? [];
    expect(row).toContain(said);
    expect(stdout).toContain("api/other.json  (changed)\n");
    expect(stdout).toMatch(
      /1 changed schema, 0 of which break, or may break; 1 could not be compared\n$/,
    );
    const json: unknown = JSON.parse((await diff("api/", "--format", "json")).stdout);
    expect(findErrors("RangeDiffReport", json)).toEqual([]);
    expect(json).toMatchObject({
      schemas: [{ new: "api/other.json" }],
      not_compared: [{ file: "api/one.json", status: "changed" }],
    });
    const github = await diff("api/", "--format", "github");
    expect(github.exitCode).toBe(EXIT.unreadable);
    expect(github.stdout).toMatch(
      /^::error file=api\/one\.json,.*title=not-compared::not compared/,
    );
    const markdown = await diff("api/", "--format", "markdown");
    expect(markdown.stdout).toContain("- **not compared** `api/one.json`: ");
    const changelog = await diff("api/", "--format", "changelog");
    expect(changelog.exitCode).toBe(EXIT.unreadable);
    expect(changelog.stderr).toContain("api/one.json: not compared: ");
    const html = await diff("api/", "--format", "html");
    expect(html.exitCode).toBe(EXIT.unreadable);
  });

  test("a break elsewhere stays the verdict", async () => {
    repository.commit({ ...others, "api/one.json": one, "common/base.json": base(text) });
    repository.commit({
      "api/other.json": { $schema: DIALECT, ...whole },
      "common/base.json": undefined,
    });
    const { exitCode, stdout } = await diff("api/");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(/1 of which breaks, or may break; 1 could not be compared\n$/);
  });

  test("two schemas that only refer to each other, and a changed schema that is no JSON", async () => {
    repository.commit({
      "api/one.schema.json": { $ref: "two.schema.json" },
      "api/two.schema.json": { $ref: "one.schema.json" },
      "api/bad.json": { $schema: DIALECT },
    });
    repository.commit({
      "api/two.schema.json": { title: "T", $ref: "one.schema.json" },
      "api/bad.json": `{"$schema": "${DIALECT}"`,
    });
    const { exitCode, stdout } = await diff("api/");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stdout).toMatch(
      /api\/bad\.json {2}\(not compared\)\n\napi\/bad\.json:1:\d+ {2}is not JSON/,
    );
    expect(stdout).toContain("api/two.schema.json  (");
  });

  test("a file that a partial clone has not fetched is said to be that", async () => {
    repository.commit({ "api/one.json": one, "common/base.json": base(text) });
    repository.commit({ "common/base.json": base(whole) });
    repository.git("config", "uploadpack.allowFilter", "true");
    const source = pathToFileURL(repository.path).href;
    repository.git("clone", "--quiet", "--filter=blob:none", source, "clone");
    const cwd = join(repository.path, "clone");
    const { exitCode, stdout } = await repository.run(["diff", "HEAD~1..HEAD", "api/"], { cwd });
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stdout).toContain(
      "HEAD~1:common/base.json: not fetched yet, not in this partial clone: run git fetch --refetch --no-filter there, or add --fetch",
    );
    // The one version of a schema says the same, not that it is missing.
    const named = ["diff", "HEAD~1:common/base.json", "common/base.json"];
    expect(await repository.run(named, { cwd })).toMatchObject({
      exitCode: EXIT.unreadable,
      stderr: expect.stringMatching(/^HEAD~1:common\/base\.json: not fetched yet, /),
    });
    const permitted = await repository.run(["diff", "HEAD~1..HEAD", "api/", "--fetch"], { cwd });
    expect(permitted).toEqual(await repository.run(["diff", "HEAD~1..HEAD", "api/"]));
    expect(await repository.run([...named, "--fetch"], { cwd })).toEqual(
      await repository.run(named),
    );
  });

  test("a partial clone without any file is no reason to say that nothing changed", async () => {
    repository.commit({
      "api/one.json": one,
      "api/middle.json": { $ref: "../common/base.json" },
      "common/base.json": base(text),
    });
    repository.commit({ "common/base.json": base(whole) });
    repository.git("config", "uploadpack.allowFilter", "true");
    const source = pathToFileURL(repository.path).href;
    for (const filter of ["blob:none", "tree:0"]) {
      const clone = `clone-${filter.slice(0, 4)}`;
      repository.git("clone", "--quiet", "--no-checkout", `--filter=${filter}`, source, clone);
      const cwd = join(repository.path, clone);
      const { exitCode, stdout, stderr } = await repository.run(["diff", "HEAD~1..HEAD", "api/"], {
        cwd,
      });
      expect(exitCode).toBe(EXIT.unreadable);
      expect(stdout + stderr).toContain("not fetched yet");
      expect(stdout).not.toContain("no schema changed, of 2 and what they refer to\n");
    }
  });
});

test("a schema that does not say what it is, beside one that does, is compared", async () => {
  const anonymous = (values: string[]) => ({
    "s/a.json": { $id: "x", properties: { a: { enum: values } } },
    "s/b.json": { type: "object", properties: { a: { enum: values } } },
    "s/c.schema.json": { type: "object" },
    "s/data.json": { type: "FeatureCollection", properties: { a: values } },
  });
  repository.commit(anonymous(["x", "y"]));
  repository.commit(anonymous(["x"]));
  expect(await rowsOf("s/")).toEqual({
    exitCode: EXIT.findings,
    rows: ["s/a.json  (changed)", "s/b.json  (changed)"],
  });
});

test("a renamed schema is told by its former path, too", async () => {
  const version = (id: object) => order("#/$defs/id", { description: "The order.", $defs: { id } });
  repository.commit({ "api/one.json": version(text) });
  repository.commit({ "api/one.json": undefined, "api/two.json": version(whole) });
  expect(await rowsOf("api/")).toEqual({
    exitCode: EXIT.findings,
    rows: ["api/two.json  (changed, renamed from api/one.json)"],
  });
  const markdown = await diff("api/", "--format", "markdown");
  expect(markdown.stdout).toContain("| `api/two.json` (changed, renamed from api/one.json) |");
  const json: unknown = JSON.parse((await diff("api/", "--format", "json")).stdout);
  expect(findErrors("RangeDiffReport", json)).toEqual([]);
  expect(json).toMatchObject({ schemas: [{ renamed_from: "api/one.json" }] });
});

describe("a schema that did not change is compared", () => {
  const one = order("https://x.example/two");
  const two = (id: object, more: object = {}) => ({ $id: "https://x.example/two", ...more, ...id });

  test("if the metaschema that defines its dialect did", async () => {
    const meta = (...names: string[]) => ({
      $vocabulary: Object.fromEntries(
        names.map((name) => [`https://json-schema.org/draft/2020-12/vocab/${name}`, true]),
      ),
    });
    repository.commit({
      "api/one.schema.json": { $schema: "../meta.json", minimum: 1 },
      "meta.json": meta("core"),
    });
    repository.commit({ "meta.json": meta("core", "validation") });
    expect(await rowsOf("api/")).toEqual({
      exitCode: EXIT.findings,
      rows: ["api/one.schema.json  (changed through meta.json)"],
    });
  });

  test("if a schema of draft-04 did, to whose id it refers", async () => {
    const $schema = "http://json-schema.org/draft-04/schema#";
    const file = (id: object) => ({ $schema, id: "https://x.example/two", ...id });
    repository.commit({ "api/one.json": { ...one, $schema }, "api/two.json": file(text) });
    repository.commit({ "api/two.json": file(whole) });
    expect((await rowsOf("api/one.json", "--schemas", "api")).rows).toEqual([
      "api/one.json  (changed through api/two.json)",
    ]);
  });

  test("but not by a part of a new file, if the address had a schema before", async () => {
    repository.commit({ "api/one.json": one, "api/lib/two.json": two(text) });
    repository.commit({ "api/new.schema.json": { $defs: { part: two(whole) } } });
    expect(await rowsOf("api/")).toEqual({
      exitCode: EXIT.ok,
      rows: ["api/new.schema.json  (added)"],
    });
  });

  test("and undecided, if the address had none", async () => {
    repository.commit({ "api/one.json": one });
    repository.commit({ "api/new.schema.json": { $defs: { part: two(whole) } } });
    const { exitCode, stdout } = await diff("api/");
    expect(exitCode).toBe(EXIT.undecided);
    expect(stdout).toContain("api/one.json  (changed through api/new.schema.json)");
    expect(stdout).toContain("nobody knows what https://x.example/two accepts");
  });
});

test("what nobody has here must not refer back to what changed in the range", async () => {
  const three = (id: object) => ({ $id: "https://x.example/three", ...id });
  repository.commit({ "a/one.json": order("https://x.example/two"), "a/three.json": three(text) });
  repository.commit({ "a/three.json": three({ ...text, maxLength: 3 }) });
  const said =
    "if https://x.example/two did not change, and refers to nothing that changed here (https://x.example/three)";
  expect((await diff("a/")).stdout).toContain(`\n${said}: it is not here (--schemas)\n`);
  const json: unknown = JSON.parse((await diff("a/", "--format", "json")).stdout);
  expect(findErrors("RangeDiffReport", json)).toEqual([]);
  expect(json).toMatchObject({
    if_unchanged: ["https://x.example/two"],
    if_not_referred_to: ["https://x.example/three"],
  });
  repository.commit({ "a/three.json": three({ ...text, maxLength: 3, title: "Three" }) });
  expect((await diff("a/")).stdout).toContain("if https://x.example/two did not change: it is");
});
