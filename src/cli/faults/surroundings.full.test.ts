import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "../../base/testing/build-program.js";
import {
  createProgramFolder,
  manyBranches,
  type ProgramFolder,
} from "../../base/testing/program-folder.js";
import { type Ending, runProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";

/** Enough for several blocks, so that threads are started. */
const input = manyBranches("adjacent");
const EXPORT = ["export", "--allow-missing-g3", "--exported-at-ms", "0", "--workers", "2"].concat(
  "--input",
  "in.jsonl",
);
const VALIDATE = ["validate", "in.jsonl"];
const SCHEMA = fileURLToPath(new URL("../../../schema/rollout-wire.schema.json", import.meta.url));

let program: BuiltProgram;
let folder: ProgramFolder;
beforeAll(() => {
  program = buildProgram();
});
beforeEach(() => {
  folder = createProgramFolder();
  folder.write("in.jsonl", input);
});
afterEach(() => folder.remove());

interface Surroundings {
  readonly nodeArguments?: readonly string[];
  readonly prelude?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function run(argv: readonly string[], { env, ...around }: Surroundings): Promise<Ending> {
  const { cwd } = folder;
  return await runProgram(argv, { ...program, ...around, cwd, env: { ...folder.env, ...env } });
}

const NO_CODE = "--disallow-code-generation-from-strings";
// Its name before Node 23.5.
const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";
const MAY_READ = [PERMISSION, "--no-warnings", "--allow-fs-read=*"];

const outputs = () => [folder.read("dpo.jsonl"), folder.read("ppo.jsonl")];

let known: string[] | undefined;
/** What an export writes in usual surroundings. */
async function usual(): Promise<string[]> {
  if (known !== undefined) return known;
  expect((await run(EXPORT, {})).exitCode).toBe(EXIT.ok);
  known = outputs();
  return known;
}

test.each<[string, Surroundings]>([
  ["no code may be generated", { nodeArguments: [NO_CODE] }],
  ["NODE_OPTIONS says so", { env: { NODE_OPTIONS: NO_CODE } }],
  ["nothing is compiled", { nodeArguments: ["--jitless", "--no-warnings"] }],
  ["there is little memory", { nodeArguments: ["--max-old-space-size=32"] }],
  ["no threads are permitted", { nodeArguments: [...MAY_READ, "--allow-fs-write=*"] }],
  ["there is no home", { prelude: "unset HOME" }],
  ["all streams are closed", { prelude: "exec <&- >&- 2>&-" }],
])("an export is the same if %s", async (_, around) => {
  const { exitCode, stderr } = await run(EXPORT, around);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.not.stringContaining("    at ")]);
  expect(outputs()).toEqual(await usual());
  expect(folder.leftovers()).toEqual([]);
});

test("an export needs leave to write its folders only", async () => {
  const folders = [folder.cwd, folder.env.TMPDIR].map((path) => `--allow-fs-write=${path}/*`);
  const { exitCode, stderr } = await run(EXPORT, { nodeArguments: [...MAY_READ, ...folders] });
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.not.stringContaining("    at ")]);
  expect(folder.leftovers()).toEqual([]);
});

/** Lets no thread start, as under `ulimit -u`: a limit of the user would also hit other programs. */
const NO_THREADS = `
  import threads from "node:worker_threads";
  import { syncBuiltinESMExports } from "node:module";
  threads.Worker = class {
    constructor() {
      throw Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
    }
  };
  syncBuiltinESMExports();`;

/** Lets each thread fail before it runs anything. */
const FAILING_THREADS = `
  import threads from "node:worker_threads";
  import { syncBuiltinESMExports } from "node:module";
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor() {
      const error = 'Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" })';
      super("throw " + error, { eval: true, execArgv: [] });
    }
  };
  syncBuiltinESMExports();`;

/** Lets no file be opened for writing, as under `ulimit -n`: how many Node itself needs depends on its version. */
const NO_FILES = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { open } = fs.promises;
  fs.promises.open = async (path, flags, ...rest) => {
    if (flags === undefined || flags === "r") return await open(path, flags, ...rest);
    throw Object.assign(new Error("EMFILE"), { code: "EMFILE", syscall: "open" });
  };
  syncBuiltinESMExports();`;

/** Lets nobody list the folder `closed`. */
const CLOSED_FOLDER = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { readdir } = fs;
  fs.readdir = (path, options, done) => {
    if (!/closed.?$/.test(path)) return readdir(path, options, done);
    done(Object.assign(new Error("EACCES"), { code: "EACCES", syscall: "scandir" }));
  };
  syncBuiltinESMExports();`;

const preload = (code: string): Surroundings => ({
  nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(code)}`],
});

test.each<[string, readonly string[], Surroundings, RegExp]>([
  [
    "schemas cannot be compiled",
    ["diff", "released:rollout-wire/v1", SCHEMA],
    { nodeArguments: [NO_CODE] },
    /^Node may not generate code, .* run it without --disallow-code-generation-from-strings/,
  ],
  [
    "an output may not be written",
    EXPORT,
    { nodeArguments: MAY_READ },
    /dpo\.jsonl: cannot be written: permission denied by Node: permit it with --allow-fs-write/,
  ],
  ["no thread can start", VALIDATE, preload(NO_THREADS), /^worker thread: .*\(ulimit -u\)/],
  ["threads fail at once", VALIDATE, preload(FAILING_THREADS), /^worker thread: .*\(ulimit -u\)/],
  [
    "the current folder is gone",
    VALIDATE,
    { prelude: "mkdir gone && cd gone && rmdir ../gone" },
    /^the current folder was removed: change to another one/,
  ],
  [
    "a folder within an input cannot be read",
    ["validate", "in"],
    { ...preload(CLOSED_FOLDER), prelude: "mkdir -p in/closed && cp in.jsonl in" },
    /^in\/closed: permission denied$/m,
  ],
  [
    "few files may be open",
    EXPORT,
    preload(NO_FILES),
    /dpo\.jsonl: cannot be written: too many files are open: raise the limit \(ulimit -n\)/,
  ],
  [
    "there is no temporary folder",
    EXPORT,
    { env: { TMPDIR: "/none" } },
    /^cannot create a temporary folder: ENOENT[^\n]*; set TMPDIR to another folder/,
  ],
])("one line if %s", async (_, argv, around, message) => {
  const { exitCode, signal, stdout, stderr } = await run(argv, around);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect([exitCode, signal, stdout]).toEqual([EXIT.unreadable, null, ""]);
  expect(folder.leftovers()).toEqual([]);
});
