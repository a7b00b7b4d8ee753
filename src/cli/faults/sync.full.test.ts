import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listFiles } from "../../base/files/folders.js";
import { type BuiltProgram, buildProgram } from "../../base/testing/build-program.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { type Ending, runProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";
import { createScene, LOCK, SCHEMA, type Scene, TYPES } from "../sync/testing/create-scene.js";

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});

let scene: Scene;
/** The former files, and those of an undisturbed run. */
let former: Readonly<Record<string, string>>;
let expected: Readonly<Record<string, string>>;
beforeEach(async () => {
  scene = createScene();
  await scene.sync();
  former = scene.files();
  scene.raise();
  await scene.sync();
  expected = scene.files();
  for (const [path, text] of Object.entries(former)) scene.write(path, text);
});
afterEach(() => scene.remove());

/** The files in commit order: schema, types, lock. */
const MOVES = [1, 2, 3] as const;

interface Disturbance {
  /** Name of a function of node:fs. */
  readonly call:
    | "renameSync"
    | "linkSync"
    | "mkdirSync"
    | "lstatSync"
    | "readFileSync"
    | "readdirSync";
  /** Which call behaves differently, from 1. Absent: every call. */
  readonly at?: number;
  /** What it does, as JavaScript. */
  readonly action: string;
}

const KILL = 'process.kill(process.pid, "SIGKILL")';
const FAIL = 'throw Object.assign(new Error("EIO: i/o error"), { code: "EIO", syscall: "rename" })';

/** Runs `sync` in its own process, in which a call of node:fs runs other code before its own. */
async function syncDisturbed(
  { call, at = 0, action }: Disturbance,
  ...argv: string[]
): Promise<Ending> {
  const code = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const original = fs.${call};
    let calls = 0;
    fs.${call} = (...args) => {
      calls += 1;
      if (${at} === 0 || calls === ${at}) { ${action}; }
      return original(...args);
    };
    syncBuiltinESMExports();`;
  return await runProgram(
    [
      "sync",
      "--registry",
      `${scene.source}/schema/registry.json`,
      "--repo",
      "wasmagent-js=wasmagent-js",
      ...argv,
    ],
    {
      ...program,
      cwd: dirname(scene.repo),
      nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(code)}`],
    },
  );
}

const leftovers = (): string[] =>
  listFiles(scene.repo).filter((path) => path.includes(".rollout-wire-"));

describe.each(sampleCases(MOVES, 2))("killed while file %i of 3 is committed", (at) => {
  test("every file is intact, the lock comes last, and a second run completes", async () => {
    const ending = await syncDisturbed({ call: "renameSync", at, action: KILL });
    expect(ending.signal).toBe("SIGKILL");
    const [schema, types, lock] = [SCHEMA, TYPES, LOCK].map((path) => scene.read(path));
    expect(schema).toBe(at > 1 ? expected[SCHEMA] : former[SCHEMA]);
    expect(types).toBe(at > 2 ? expected[TYPES] : former[TYPES]);
    expect(lock).toBe(former[LOCK]);
    expect(leftovers().length).toBeGreaterThan(0);
    const again = await scene.sync();
    expect([again.exitCode, again.stdout]).toEqual([EXIT.ok, ""]);
    expect(again.stderr).toMatch(
      /^completed what process \d+ was writing when it was killed: \S+( and \d other files?)?\n/,
    );
    expect([leftovers(), scene.files()]).toEqual([[], expected]);
  });
});

test.each(sampleCases(MOVES, 1))(
  "an error while file %i of 3 is committed: all former files are restored",
  async (at) => {
    const { exitCode, stderr } = await syncDisturbed({ call: "renameSync", at, action: FAIL });
    expect([exitCode, stderr]).toEqual([
      EXIT.unreadable,
      expect.stringMatching(/^[^\n]+: cannot be written: EIO: i\/o error\n$/),
    ]);
    expect(scene.files()).toEqual(former);
  },
);

test.each(sampleCases(["SIGTERM", "SIGINT", "SIGHUP"], 1))(
  "%s during the run: all former files or all new ones",
  async (signal) => {
    const action = `process.kill(process.pid, "${signal}")`;
    await syncDisturbed({ call: "linkSync", at: 2, action });
    expect([former, expected]).toContainEqual(scene.files());
  },
);

test("an error while folders are created: none remains", async () => {
  execFileSync("find", [scene.repo, "-mindepth", "1", "-delete"]);
  const { exitCode } = await syncDisturbed({ call: "mkdirSync", at: 3, action: FAIL });
  expect(exitCode).toBe(EXIT.unreadable);
  expect(execFileSync("find", [scene.repo, "-mindepth", "1"], { encoding: "utf8" })).toBe("");
});

test("missing permissions are one line, and nothing is written", async () => {
  const action =
    'if (String(args[0]).includes("ranking")) throw Object.assign(new Error(), { code: "EACCES", syscall: "x" })';
  for (const call of ["lstatSync", "readFileSync"] as const) {
    const { exitCode, stdout, stderr } = await syncDisturbed({ call, action });
    expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
    expect(stderr).toMatch(/^wasmagent-js\/packages\/\S+: permission denied\n$/);
    expect(scene.files()).toEqual(former);
  }
  // Whoever may write in a folder that nobody may list can list the locks in it.
  const unlisted = `if (!String(args[0]).includes(".lock")) { ${action} }`;
  const ending = await syncDisturbed({ call: "readdirSync", action: unlisted });
  expect(ending).toMatchObject({ exitCode: EXIT.ok });
});

test("no space: former files stay, and nothing else remains", async () => {
  const { exitCode, stdout, stderr } = await runProgram(
    [
      "sync",
      "--registry",
      `${scene.source}/schema/registry.json`,
      "--repo",
      "wasmagent-js=wasmagent-js",
    ],
    { ...program, cwd: dirname(scene.repo), prelude: "ulimit -f 8" },
  );
  expect(exitCode).toBe(EXIT.unreadable);
  expect(stderr).toMatch(/^[^\n]+: cannot be written: it would exceed the maximum file size\n$/);
  expect(stdout).toContain("update");
  expect(scene.files()).toEqual(former);
});
