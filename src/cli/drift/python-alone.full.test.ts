import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Config, KnownDifference } from "#generated/index.js";
import { DEV_TOOLS, ensurePythonEnv } from "../../../conformance/python-env.js";
import { sha256 } from "../../base/files/hash.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { Canonical } from "../../contract/drift/canonical.js";
import { configurePresent } from "../../contract/drift/testing/pins.js";

const SCHEMA = "src/datafactory/rollout-wire.schema.json";
const LOCK = "rollout-wire.lock.json";
const CONFIG = "rollout-wire.config.json";

/** The present version of the schema of rollouts. */
const PRESENT = new Canonical(packageRoot()).presentVersion("rollout-wire") ?? "";

const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
const folder = createTestFolder();
afterAll(() => folder.remove());

/** Python compiles the package once for all tests, and not beside its sources. */
const COMPILED = { PYTHONPYCACHEPREFIX: join(folder.path, "compiled") };

const at = (path: string): string => join(folder.path, "repo", path);

beforeAll(async () => {
  mkdirSync(join(folder.path, "synced"));
  const config = configurePresent("trace-pipeline", join(folder.path, "synced"));
  const { exitCode } = await folder.run(["sync", "--repo", "trace-pipeline=synced"]);
  expect(exitCode).toBe(EXIT.ok);
  rmSync(config);
});

beforeEach(() => {
  rmSync(at(""), { recursive: true, force: true });
  cpSync(join(folder.path, "synced"), at(""), { recursive: true });
});

/** Runs the package where there is no other program: neither Node nor git. */
function run(argv: readonly string[], { code = join(packageRoot(), "generated/python") } = {}) {
  const { status, stdout, stderr } = spawnSync(python, ["-m", "rollout_wire", ...argv], {
    cwd: at(""),
    encoding: "utf8",
    env: { PATH: "", PYTHONPATH: code, ...COMPILED },
  });
  return { status, stdout, stderr };
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(at(path), "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(at(path), change(text));
}

const narrow = (): void => edit(SCHEMA, (text) => text.replace('"minLength": 1', '"minLength": 2'));

test("docs/consumers.md shows what it prints", () => {
  narrow();
  rmSync(at("src/rollout_wire/rollout_trace.py"));
  const { status, stdout, stderr } = run(["drift"]);
  expect(status).toBe(EXIT.findings);
  const guide = readFileSync(join(packageRoot(), "docs/consumers.md"), "utf8");
  const [, block = ""] = /^```\n(trace-pipeline {2}[\s\S]*?)^```$/m.exec(guide) ?? [];
  const withoutCounts = (text: string): string =>
    text.replaceAll(/\d+\.\d+\.\d+|\d+ (files|copies)/g, "N $1").replaceAll(/ +/g, " ");
  expect(withoutCounts(stdout + stderr)).toBe(withoutCounts(block));
});

/** The configuration of the schema alone, with the accepted differences of its file as it is now. */
function configure(change: Partial<Config>, ...accepted: Partial<KnownDifference>[]): void {
  const config: Config = {
    config_version: "config/v1",
    repository: "trace-pipeline",
    artefacts: [
      {
        kind: "schema",
        schema: "rollout-wire",
        version: "1.1.0",
        source: "schema/rollout-wire.schema.json",
        path: SCHEMA,
      },
    ],
    baseline: accepted.map((each) => ({
      id: "breaking",
      file: SCHEMA,
      pointer: "/$defs/RolloutId/minLength",
      hash: sha256(readFileSync(at(SCHEMA))),
      reason: "ours",
      expires: "2999-12-31",
      ...each,
    })),
    ...change,
  };
  writeFileSync(at(CONFIG), JSON.stringify(config));
}

test("unchanged copies are a table", () => {
  const { stdout, ...rest } = run(["drift"]);
  expect(stdout.replace(/\d+ files/, "N files")).toBe(
    `trace-pipeline  ${PRESENT}  ${SCHEMA}  identical\n` +
      `                ${PRESENT}  src/rollout_wire/ (N files)              identical\n`,
  );
  expect(rest).toEqual({
    status: EXIT.ok,
    stderr: expect.stringMatching(/^0 errors, 0 warnings \(\d+ copies in 1 repository\)\n$/),
  });
});

test("a copy of the package checks the repository that holds it", () => {
  expect(run(["drift"], { code: "src" })).toMatchObject({ status: EXIT.ok });
  edit("src/rollout_wire/py.typed", (text) => `${text}# ours\n`);
  expect(run(["drift"], { code: "src" })).toMatchObject({ status: EXIT.findings });
});

test("another folder is named in findings and fixes", () => {
  rmSync(at("src/rollout_wire/rollout_trace.py"));
  const { status, stdout, stderr } = run(["drift", "../repo"]);
  expect(status).toBe(EXIT.findings);
  expect(stdout).toContain("../repo/src/rollout_wire/rollout_trace.py:1:1");
  expect(stderr).toContain("sync --repo trace-pipeline=../repo  # needs Node\n");
});

describe("a schema with another contract", () => {
  test("is undecided, and the program for Node is named", () => {
    narrow();
    const { status, stdout, stderr } = run(["drift"]);
    expect([status, stdout]).toEqual([EXIT.undecided, expect.stringContaining("  undecided\n")]);
    expect(stdout).toContain("`rollout-wire drift` (Node) says what it breaks");
    expect(stderr).toContain("--force  # needs Node; overwrites local changes\n");
  });

  test("of a later version is ahead", () => {
    const [now, later] = [0, 1].map((more) => Number.parseInt(PRESENT, 10) + more);
    edit(SCHEMA, (text) =>
      text
        .replaceAll(`rollout-wire/v${now}"`, `rollout-wire/v${later}"`)
        .replace('Length": 1', 'Length": 2'),
    );
    expect(run(["drift"]).stdout).toContain(`is ahead: it is ${later}.0.0`);
  });

  test("is accepted by a baseline that the program for Node wrote", () => {
    narrow();
    configure({}, { pointer: "/$defs/RolloutId/minLength" });
    edit(LOCK, withSchemaOnly);
    const { status, stderr } = run(["drift"]);
    expect([status, stderr]).toEqual([
      EXIT.ok,
      "0 errors, 0 warnings (1 copy in 1 repository, 1 accepted by the baseline, not searched for other copies)\n",
    ]);
  });

  test.each<[string, Partial<KnownDifference>, string]>([
    ["expired", { expires: "2020-01-31" }, "its baseline expired on 2020-01-31"],
    ["is about another file", { hash: `sha256:${"0".repeat(64)}` }, "the file changed since"],
  ])("is not accepted by a baseline that %s", (_, change, objection) => {
    narrow();
    configure({}, change);
    edit(LOCK, withSchemaOnly);
    const { status, stdout } = run(["drift"]);
    expect([status, stdout]).toEqual([EXIT.undecided, expect.stringContaining(objection)]);
    expect(stdout).not.toContain("stale-baseline");
  });

  test.each<[Config["severity"], number]>([
    [{ undecided: "off", compatible: "off" }, EXIT.undecided],
    [{ undecided: "off", breaking: "warning" }, EXIT.undecided],
    [{ undecided: "warning", breaking: "warning", compatible: "off" }, EXIT.ok],
  ])("has the strictest severity of what it may be: %o", (severity, expected) => {
    narrow();
    configure({ severity });
    edit(LOCK, withSchemaOnly);
    expect(run(["drift"]).status).toBe(expected);
  });
});

test("what only the program for Node looks for is not stale in the baseline", () => {
  configure({}, { id: "unregistered", file: "other.json" }, { id: "replay", file: "r.jsonl" });
  edit(LOCK, withSchemaOnly);
  expect(run(["drift"])).toMatchObject({
    status: EXIT.ok,
    stderr: expect.stringMatching(/^0 e/),
  });
});

test("generated code without a lock is missing from it", () => {
  rmSync(at(LOCK));
  configure({
    artefacts: [
      {
        kind: "generated",
        schema: "rollout-wire",
        version: "1.1.0",
        source: "generated/python/rollout_wire",
        path: "src/rollout_wire",
      },
    ],
  });
  const { status, stdout } = run(["drift"]);
  expect([status, stdout]).toEqual([EXIT.findings, expect.stringContaining("(missing)")]);
});

describe("a mistake of the user is one line", () => {
  test.each<[string, readonly string[], number, RegExp, () => void]>([
    ["no command", [], EXIT.usage, /arguments are required: COMMAND; see .* --help/, () => {}],
    ["another command", ["dirft"], EXIT.usage, /invalid choice: 'dirft'/, () => {}],
    ["another format", ["drift", "--format", "xml"], EXIT.usage, /'text', 'json'/, () => {}],
    ["no number", ["drift", "--max-errors", "-1"], EXIT.usage, /whole number|expected/, () => {}],
    ["no folder", ["drift", "nowhere"], EXIT.unreadable, /^nowhere: no such folder$/, () => {}],
    ["a file", ["drift", LOCK], EXIT.unreadable, /is not a folder/, () => {}],
    [
      "no lock",
      ["drift", "src"],
      EXIT.unreadable,
      /^src\/rollout-wire\.lock\.json: no s/,
      () => {},
    ],
    [
      "a lock that is a folder",
      ["drift"],
      EXIT.unreadable,
      /^rollout-wire\.lock\.json: is not a file/,
      () => {
        rmSync(at(LOCK));
        mkdirSync(at(LOCK));
      },
    ],
  ])("%s", (_, argv, expected, message, change) => {
    change();
    const { status, stdout, stderr } = run(argv);
    expect([status, stdout, stderr.split("\n").length]).toEqual([expected, "", 2]);
    expect(stderr.trimEnd()).toMatch(message);
  });

  test("a full disk, and a reader that stops early", () => {
    const command = `"$0" -m rollout_wire drift`;
    const shell = (script: string) =>
      spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", script, python], {
        cwd: at(""),
        encoding: "utf8",
        env: { PYTHONPATH: join(packageRoot(), "generated/python"), ...COMPILED },
      });
    const full = shell(`${command} > /dev/full`);
    expect([full.status, full.stderr]).toEqual([
      EXIT.unreadable,
      expect.stringMatching(/^standard output: .*\n$/),
    ]);
    const closed = shell(`${command} >&-`);
    expect([closed.status, closed.stderr]).toEqual([
      EXIT.ok,
      expect.stringMatching(/^0 errors.*\n$/),
    ]);
    const early = shell(`${command} --format json | exec 0<&-; exit "\${PIPESTATUS[0]}"`);
    expect([early.status, early.stderr]).toEqual([
      EXIT.ok,
      expect.stringMatching(/^0 errors.*\n$/),
    ]);
  });
});

test("--help has an example", () => {
  for (const argv of [["--help"], ["drift", "--help"]]) {
    const { status, stdout } = run(argv);
    expect([status, stdout]).toEqual([
      EXIT.ok,
      expect.stringContaining("python -m rollout_wire drift services/trainer --format json"),
    ]);
  }
});

function withSchemaOnly(text: string): string {
  const lock: { artefacts: { path: string }[] } = JSON.parse(text);
  return JSON.stringify({
    ...lock,
    artefacts: lock.artefacts.filter(({ path }) => path === SCHEMA),
  });
}
