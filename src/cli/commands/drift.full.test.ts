import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findErrors } from "#generated/index.js";
import { createFrozenRepository } from "../../../conformance/registry/testing/frozen-repository.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { Canonical } from "../../contract/drift/canonical.js";
import {
  createConfig,
  listLayout,
  writeConfiguration,
} from "../../contract/drift/testing/layouts.js";
import { listCopies } from "../../contract/drift/testing/list-copies.js";

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

const SCHEMA = "packages/core/src/ranking/schemas/rollout-wire.schema.json";
const TYPES = "packages/core/src/ranking/rollout-wire.d.ts";
const RECORDS = "fixtures/data-loop/rollout-branches.v1.jsonl";
const JSON_FORMAT = ["--format", "json"];
const REPO = ["--repo", "wasmagent-js=runtime"];

const at = (path: string): string => join(folder.path, "runtime", path);
const drift = (...args: string[]) => folder.run(["drift", ...args]);

beforeEach(() => {
  rmSync(join(folder.path, "runtime"), { recursive: true, force: true });
  for (const { source, path } of listCopies(new Canonical(frozen.root), "wasmagent-js")) {
    mkdirSync(dirname(at(path)), { recursive: true });
    cpSync(join(frozen.root, source), at(path));
  }
  const config = createConfig("wasmagent-js", listLayout("wasmagent-js", "1.0.0"));
  writeConfiguration(join(folder.path, "runtime"), config);
});

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(at(path), "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(at(path), change(text));
}

/** A text with one change. Throws if nothing changes. */
function replacing(from: string, to: string): (text: string) => string {
  return (text) => text.replace(from, to);
}

/** The first line of a copy that contains a text, from 1. */
function lineOf(path: string, text: string): number {
  const lines = readFileSync(at(path), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}

test("a table of the copies, and counts of what was checked", async () => {
  expect(await drift(...REPO)).toEqual({
    exitCode: EXIT.ok,
    stdout: [
      `wasmagent-js  1.0.0  ${SCHEMA}  identical`,
      `              1.0.0  ${TYPES.padEnd(SCHEMA.length)}  identical`,
      `              1.0.0  ${RECORDS.padEnd(SCHEMA.length)}  identical`,
      "",
    ].join("\n"),
    stderr:
      "0 errors, 0 warnings (3 copies and 0 forks in 1 repository, 4 records replayed, 4 files scanned, without .git and node_modules, 3 files examined)\n",
  });
});

describe("each grade has its severity, file and exit code", () => {
  test.each<[string, string, (text: string) => string, string, number]>([
    ["another layout", SCHEMA, (text) => text.replaceAll("  ", " "), "formatting", EXIT.findings],
    [
      "other words",
      SCHEMA,
      (text) => text.replace('"title": "', '"title": "The '),
      "documentation",
      EXIT.findings,
    ],
    [
      "an equivalent schema in other words",
      SCHEMA,
      (text) => text.replace('"minimum": 1\n', '"exclusiveMinimum": 0\n'),
      "compatible",
      EXIT.findings,
    ],
    [
      "a narrower field",
      SCHEMA,
      (text) => text.replace('"minimum": 0', '"minimum": 0.5'),
      "breaking",
      EXIT.findings,
    ],
    [
      "a pattern that is no language",
      SCHEMA,
      (text) =>
        text.replace(
          '"minLength": 1\n',
          '"minLength": 1, "pattern": "^(?!(.+)=(.+)=\\\\2\\\\1$)"\n',
        ),
      "undecided",
      EXIT.undecided,
    ],
    ["no JSON", SCHEMA, () => "<<<<<<< HEAD\n", "unreadable", EXIT.findings],
    ["types by hand", TYPES, (text) => `${text}// mine\n`, "not-adopted", EXIT.findings],
    ["other line ends", TYPES, (text) => text.replaceAll("\n", "\r\n"), "line-ends", EXIT.ok],
  ])("%s", async (_, path, change, grade, expected) => {
    edit(path, change);
    const { exitCode, stdout } = await drift(...REPO, "--format", "json");
    const report = JSON.parse(stdout);
    expect(findErrors("DriftReport", report)).toEqual([]);
    const found = report.findings.filter(({ id }: { id: string }) => id !== "replay");
    expect(found).toMatchObject([{ id: grade, file: join("runtime", path) }]);
    expect(report.copies.find((copy: { path: string }) => copy.path === path).grade).toBe(grade);
    expect(exitCode).toBe(expected);
  });

  test("a missing file", async () => {
    rmSync(at(TYPES));
    const { exitCode, stdout, stderr } = await drift(...REPO);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(/rollout-wire\.d\.ts:1:1 .*is missing.*\(missing\)/);
    expect(stderr).toContain("Fix:\n  rollout-wire sync --repo wasmagent-js=runtime\n");
  });
});

test("a copy of an unknown version is ahead", async () => {
  edit(SCHEMA, (text) =>
    text
      .replace('rollout-wire/v1",', 'rollout-wire/v3",')
      .replace('"minimum": 1\n', '"minimum": 2\n'),
  );
  const { stdout } = await drift(...REPO);
  expect(stdout).toContain("should be rollout-wire 1.0.0, is ahead: it is 3.0.0");
});

test("a fixture that the consumer's schema rejects is reported with line and field", async () => {
  edit(SCHEMA, (text) => text.replace('"minimum": 1\n', '"minimum": 2\n'));
  const { exitCode, stdout } = await drift(...REPO, "--format", "github");
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(/::error file=runtime\/fixtures\/data-loop\/[^,]*,line=1,.*rank.*>= 2/);
});

describe("with its configuration and its lock", () => {
  const alone = (...args: string[]) =>
    folder.run(["drift", ...args], { cwd: join(folder.path, "runtime") });

  beforeEach(async () => {
    expect((await folder.run(["sync", ...REPO])).exitCode).toBe(EXIT.ok);
  });

  test("unchanged copies", async () => {
    expect(await alone()).toMatchObject({
      exitCode: EXIT.ok,
      stderr:
        "0 errors, 0 warnings (3 copies and 0 forks in 1 repository, 4 records replayed, 5 files scanned, without .git and node_modules, 4 files examined)\n",
    });
  });

  test.each<[string, (text: string) => string, string, string]>([
    [TYPES, (text) => `${text}// mine\n`, "changed", "1:1"],
    [TYPES, (text) => `\ufeff${text}`, "formatting", "1:1"],
    [SCHEMA, (text) => `${text}\n`, "formatting", "1:1"],
    [SCHEMA, (text) => `${text}<<<<<<< HEAD\n`, "unreadable", "LAST:1"],
  ])("%s", async (path, change, grade, where) => {
    edit(path, change);
    const place = where.replace("LAST", `${lineOf(path, "<<<<")}`);
    const { exitCode, stdout } = await alone();
    expect(stdout).toContain(`(${grade})`);
    expect([exitCode, stdout.includes(`${path}:${place}`)]).toEqual([EXIT.findings, true]);
  });

  test("a break is reported with its position and a record as proof", async () => {
    edit(SCHEMA, (text) => text.replace('"minLength": 1', '"minLength": 2'));
    const line = lineOf(SCHEMA, '"minLength": 2');
    const { exitCode, stdout } = await alone("--format", "github");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain(`::error file=${SCHEMA},line=${line},col=`);
    expect(stdout).toContain("was minLength 1, is minLength 2");
  });

  describe("a copy has the same grade, position and exit code as for the owner", () => {
    test.each<[string, string, (text: string) => string, string, number]>([
      ["narrower", SCHEMA, replacing('"minimum": 0', '"minimum": 0.5'), "breaking", EXIT.findings],
      [
        "an equivalent schema in other words",
        SCHEMA,
        replacing('"minimum": 1\n', '"exclusiveMinimum": 0\n'),
        "compatible",
        EXIT.findings,
      ],
      [
        "a pattern that is no language",
        SCHEMA,
        replacing('"minLength": 1\n', '"minLength": 1, "pattern": "^(?!(.+)=(.+)=\\\\2\\\\1$)"\n'),
        "undecided",
        EXIT.undecided,
      ],
      ["words", SCHEMA, replacing('"title": "', '"title": "The '), "documentation", EXIT.findings],
      ["layout", SCHEMA, (text) => `${text}\n`, "formatting", EXIT.findings],
      ["no JSON", SCHEMA, (text) => `${text}=======\n`, "unreadable", EXIT.findings],
      ["types", TYPES, (text) => `\ufeff${text}`, "formatting", EXIT.findings],
      ["line ends", TYPES, (text) => text.replaceAll("\n", "\r\n"), "line-ends", EXIT.ok],
    ])("%s", async (_, path, change, grade, expected) => {
      edit(path, change);
      const [own, owners] = [await alone(...JSON_FORMAT), await drift(...REPO, ...JSON_FORMAT)];
      const [mine, theirs] = [own, owners].map(({ stdout }) => {
        const { copies, findings } = JSON.parse(stdout);
        const [found] = findings.filter(({ id }: { id: string }) => id === grade);
        return { copies, found: { ...found, file: "" } };
      });
      const severity = expected === EXIT.ok ? "warning" : "error";
      expect(mine?.found).toMatchObject({ id: grade, severity });
      expect(mine?.found).toEqual(theirs?.found);
      const sorted = [mine, theirs].map((each) =>
        each?.copies.toSorted((a: { path: string }, b: { path: string }) =>
          a.path < b.path ? -1 : 1,
        ),
      );
      expect(sorted[0]).toEqual(sorted[1]);
      expect([own.exitCode, owners.exitCode]).toEqual([expected, expected]);
    });
  });

  test("a lock of another repository", async () => {
    edit(
      "rollout-wire.lock.json",
      replacing('"repository": "wasmagent-js"', '"repository": "gone"'),
    );
    const { exitCode, stdout, stderr } = await alone();
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(
      /rollout-wire\.lock\.json:\d+:\d+ .*is the lock of gone, not of wasmagent-js.*\(lock\)/,
    );
    expect(stderr).toContain("(3 copies and 0 forks in 1 repository, ");
    expect(stderr).toContain("Fix:\n  rollout-wire sync --repo wasmagent-js=. --force\n");
  });

  describe("and then without the configuration, only the lock says what it holds", () => {
    beforeEach(() => rmSync(at("rollout-wire.config.json")));
    const views: [string, () => ReturnType<typeof drift>][] = [
      ["from its own folder", alone],
      ["by its name", () => drift(...REPO)],
    ];

    test.each(views)("unchanged copies, seen %s", async (_, look) => {
      const { exitCode, stderr } = await look();
      expect([exitCode, stderr]).toEqual([
        EXIT.ok,
        expect.stringContaining("(3 copies and 0 forks in 1 repository, "),
      ]);
    });

    test.each(views)("changed and missing copies, seen %s", async (_, look) => {
      edit(SCHEMA, (text) => text.replace('"minimum": 0', '"minimum": 0.5'));
      rmSync(at(TYPES));
      const { exitCode, stdout, stderr } = await look();
      expect(exitCode).toBe(EXIT.findings);
      expect(stdout).toMatch(/rollout-wire\.schema\.json:\d+:\d+ .*\(breaking\)/);
      expect(stdout).toMatch(/rollout-wire\.d\.ts:1:1 .*\(missing\)/);
      expect(stderr).toMatch(/Fix:\n {2}rollout-wire init( runtime)? --write\n/);
    });
  });

  test("an unreadable lock is reported with its position and fix", async () => {
    writeFileSync(at("rollout-wire.lock.json"), '{"lock');
    const { exitCode, stdout, stderr } = await alone("--format", "github");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stdout).toMatch(/^::error file=rollout-wire\.lock\.json,line=1,col=7.*sync --force/);
    expect(stderr).toContain("1 error");
    const scanned = await drift("--scan", "runtime");
    expect(scanned.stdout).toContain("rollout-wire.lock.json:1:7");
  });

  test("a lock that contradicts a published version", async () => {
    edit("rollout-wire.lock.json", (text) =>
      text.replace(/("contract": "contract1-sha256:).{8}/, "$100000000"),
    );
    const { exitCode, stdout } = await alone();
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(
      /rollout-wire\.lock\.json:\d+:\d+ .*is not the hash of the published.*\(lock\)/,
    );
  });
});

describe("a scan", () => {
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    folder.write(path, content);
  };
  const wire = JSON.parse(
    readFileSync(join(frozen.root, "schema/rollout-wire.schema.json"), "utf8"),
  );
  beforeEach(() => rmSync(join(folder.path, "scanned"), { recursive: true, force: true }));

  test("fails if no file can contain a schema, and says where", async () => {
    write("scanned/README.md", "# Ours");
    write("scanned/logo.png", Buffer.from([0x89, 0, 0, 0]));
    write("scanned/node_modules/a.schema.json", JSON.stringify(wire));
    const { exitCode, stdout, stderr } = await drift("--scan", "scanned");
    expect(stdout).toBe("scanned:1:1  (line)  contains nothing to check  (nothing-checked)\n");
    expect(stderr).toBe(
      "1 error, 0 warnings (2 files scanned, without .git and node_modules, 0 files examined, 1 binary file)\n",
    );
    expect(exitCode).toBe(EXIT.findings);
  });

  test("passes for unrelated schemas, and says how many files it examined", async () => {
    write("scanned/package.json", "{}");
    write("scanned/a.ts", "export {};");
    const { stdout } = await drift("--scan", "scanned", "--format", "junit");
    expect(stdout).toContain('name="1 file checked"');
    expect(await drift("--scan", "scanned")).toEqual({
      exitCode: EXIT.ok,
      stdout: "",
      stderr:
        "0 errors, 0 warnings (2 files scanned, without .git and node_modules, 1 file examined)\n",
    });
  });

  test("names the most similar definition, and compares with it", async () => {
    const { PpoRecord } = wire.$defs;
    write("scanned/a.json", JSON.stringify(PpoRecord));
    write("scanned/b.json", JSON.stringify({ ...PpoRecord, required: [] }));
    write("scanned/c.ts", `export default ${JSON.stringify({ ...wire, $id: "ours" })}`);
    const { exitCode, stdout } = await drift("--scan", "scanned", "--format", "json");
    const { findings } = JSON.parse(stdout);
    const like = (clue: string): string =>
      `looks like an unregistered copy of rollout-wire (${clue})`;
    const part = like("by its properties, like PpoRecord, similarity 1.00, as a whole 0.13");
    expect(findings).toMatchObject([
      {
        message: part,
        detail: "compared with PpoRecord of rollout-wire 1.0.0, it accepts the same records",
      },
      {
        message: part,
        detail: expect.stringContaining(
          "compared with PpoRecord of rollout-wire 1.0.0, it accepts records that are invalid\n/prompt is no longer required",
        ),
      },
      { message: like("by the names in it, similarity 1.00") },
    ]);
    expect(exitCode).toBe(EXIT.findings);
  });
});

test("a copy that is missing from the lock", async () => {
  expect((await folder.run(["sync", ...REPO])).exitCode).toBe(EXIT.ok);
  edit("rollout-wire.lock.json", (text) => {
    const lock = JSON.parse(text);
    return JSON.stringify({ ...lock, artefacts: lock.artefacts.slice(1) });
  });
  const { exitCode, stdout } = await folder.run(["drift"], { cwd: join(folder.path, "runtime") });
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toContain("is registered as a copy of rollout-wire 1.0.0, but is not in the lock");
});

describe("an unreadable source is not a pass", () => {
  test.each<[string[], number, string]>([
    [[], EXIT.findings, "looks like an unregistered copy of rollout-wire"],
    [["--repo", "empty"], EXIT.findings, "contains nothing to check"],
    [["--repo", "empty"], EXIT.findings, "nothing was checked in empty"],
    [
      ["--repo", "wasmagent=runtime"],
      EXIT.unreadable,
      "is wasmagent-js, but the repository was named wasmagent",
    ],
    [["--repo", "wasmagent-js=nowhere"], EXIT.unreadable, "nowhere"],
    [["--repo", "wasmagent-js=file:///nowhere"], EXIT.unreadable, "does not appear to be a git"],
    [["--scan", "nowhere"], EXIT.unreadable, "nowhere: no such folder"],
    [["--scan", "empty"], EXIT.findings, "contains nothing to check"],
    [["--scan", ".", ...REPO], EXIT.usage, "cannot be used with"],
  ])("%j", async (args, expected, said) => {
    mkdirSync(join(folder.path, "empty"), { recursive: true });
    const { exitCode, stdout, stderr } = await drift(...args);
    expect(stdout + stderr).toContain(said);
    expect(exitCode).toBe(expected);
  });

  test("if one of two repositories is unreachable, the other is still reported", async () => {
    rmSync(at(TYPES));
    const { exitCode, stdout } = await drift(...REPO, "trace-pipeline=nowhere");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stdout).toContain("(missing)");
    expect(stdout).toContain("(unreachable)");
  });
});
