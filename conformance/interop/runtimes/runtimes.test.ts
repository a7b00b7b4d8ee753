import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { sampleCases } from "../../../src/base/testing/run-count.js";
import { configurePresent } from "../../../src/contract/drift/testing/layouts.js";
import { addUpcaster, OLD_ORDER } from "../../package/testing/add-upcaster.js";
import { type InstalledPackage, installPackage } from "../../package/testing/install-package.js";
import {
  deno,
  environmentOf,
  RUNTIMES,
  type Runtime,
  runCommand,
  type Transcript,
} from "./testing/runtimes.js";

const SCRIPT = fileURLToPath(new URL("testing/use-package.mjs", import.meta.url));
const BRANCHES = "node_modules/rollout-wire/fixtures/golden/data-loop/input.jsonl";

/** Lines that are not JSON, each in its own way, and a byte that is not UTF-8. */
const FAULTS = Buffer.concat([
  Buffer.from(
    [
      '{"task":',
      '{"task" 1}',
      "null",
      "[1,]",
      '{"task": tru}',
      '{"task":"a\tb"}',
      '{"rank":01}',
      '{"task":"\\q"}',
      '{"task":"\\u12"}',
      '{"rank":1.}',
      '{"task":NaN}',
      '\ufeff{"task":1}',
      "{}}",
      '{"task":1,"task":2}',
      '{"task":"\\ud800"}',
      '{"rank":9007199254740993}',
      "",
    ].join("\n"),
  ),
  Buffer.of(0x22, 0xff, 0x22, 0x0a),
]);

const MESSAGES = [
  { role: "user", content: "What is 2+2?" },
  { role: "assistant", content: "4" },
];

let installed: InstalledPackage;
let branches = "";

beforeAll(() => {
  installed = installPackage();
  const { folder } = installed;
  addUpcaster(join(folder, "node_modules/rollout-wire"));
  branches = readFileSync(join(folder, BRANCHES), "utf8");
  cpSync(SCRIPT, join(folder, "use-package.mjs"));
  writeFileSync(join(folder, "branches.jsonl"), branches);
  writeFileSync(join(folder, "branches.jsonl.gz"), gzipSync(branches));
  writeFileSync(join(folder, "faults.jsonl"), FAULTS);
  writeFileSync(join(folder, "rows.jsonl"), toJsonl([{ messages: MESSAGES }]));
  writeFileSync(join(folder, "old.jsonl"), toJsonl([OLD_ORDER]));
  writeFileSync(join(folder, "many.jsonl"), multiply(branches, 1500));
});

afterAll(() => installed.remove());

/** Copies of the rollouts with ids of their own: enough for threads. */
function multiply(jsonl: string, copies: number): string {
  return Array.from({ length: copies }, (_, index) =>
    jsonl.replaceAll('"rollout_id":"', `"rollout_id":"${index}-`),
  ).join("");
}

interface Outcome extends Transcript {
  /** What the run wrote below `out`, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs a command, takes what it wrote, and removes it. */
function run(command: readonly string[], input = ""): Outcome {
  const out = join(installed.folder, "out");
  // What `sync` copies.
  const config = configurePresent("bscode", out);
  try {
    const { stderr, ...transcript } = runCommand(command, installed.folder, input);
    rmSync(config);
    // How long it took.
    return { ...transcript, stderr: stderr.replace(/, [\d.]+ s\)/, ")"), files: readFiles(out) };
  } finally {
    rmSync(out, { recursive: true });
  }
}

function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.sort().map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
}

const ROLLOUTS = "--input many.jsonl --workers 2";
const EXPORT = "--allow-missing-g3 --exported-at-ms 0";

/** Command lines of the program, and their exit codes. */
const COMMANDS: readonly (readonly [string, number])[] = [
  ["--version", 0],
  ["validate branches.jsonl branches.jsonl.gz", 1],
  ["validate faults.jsonl", 1],
  ["validate --format json faults.jsonl", 1],
  ["validate -", 0],
  ["validate --workers 2 many.jsonl", 0],
  ["validate missing.jsonl", 3],
  ["validate --nonsense", 2],
  [`rank ${ROLLOUTS} --output out/ranked.jsonl`, 0],
  [`export ${ROLLOUTS} ${EXPORT} --output-dpo out/dpo.jsonl --output-ppo out/ppo.jsonl`, 0],
  [`export --input branches.jsonl ${EXPORT} --target trl --output-dir out/dataset`, 0],
  ["redact branches.jsonl --check", 0],
  ["import messages --map messages=/messages --input rows.jsonl --output out/branches.jsonl", 0],
  ["migrate --to order/v2 old.jsonl --output out/new.jsonl", 0],
  ["sync --repo bscode=out", 0],
  ["diff released:rollout-wire/v1 node_modules/rollout-wire/schema/rollout-wire.schema.json", 0],
];

/** Runs the same in each runtime, and expects what Node gives. */
function expectAlike(toCommand: (runtime: Runtime) => readonly string[], input?: string): Outcome {
  const [node, ...others] = RUNTIMES;
  const expected = run(toCommand(node), input);
  for (const runtime of others) {
    const other = run(toCommand(runtime), input);
    // Line by line, to see where they part.
    expect(other.stdout.split("\n")).toEqual(expected.stdout.split("\n"));
    expect(other).toEqual(expected);
  }
  return expected;
}

test("every module returns in Bun and Deno what it returns in Node", () => {
  const { exitCode, stdout, stderr } = expectAlike(({ script }) => [...script, "use-package.mjs"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n").length).toBeGreaterThan(30);
});

test.each(sampleCases(COMMANDS, 6))(
  "in Bun and Deno as in Node: rollout-wire %s",
  (line, exitCode) => {
    const toCommand = ({ program }: Runtime): string[] => [...program, ...line.split(" ")];
    expect(expectAlike(toCommand, branches).exitCode).toBe(exitCode);
  },
);

test.each(RUNTIMES)("$name: an interrupted run leaves no files", async ({ script }) => {
  const out = join(installed.folder, "out");
  mkdirSync(out);
  const rank = ["node_modules/.bin/rollout-wire", "rank", "--input", "-", "--output"];
  const [command = "", ...args] = [...script, ...rank, join(out, "ranked.jsonl")];
  const child = spawn(command, args, {
    cwd: installed.folder,
    env: environmentOf(installed.folder),
    stdio: ["pipe", "ignore", "pipe"],
  });
  try {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ending = once(child, "close");
    child.stdin.write(branches);
    // It locks its output before it reads.
    while (child.exitCode === null && readdirSync(out).length === 0) await setTimeout(10);
    child.kill("SIGINT");
    expect(await ending).toEqual([null, "SIGINT"]);
    expect(said).toBe("interrupted, nothing written\n");
    expect(readdirSync(out)).toEqual([]);
  } finally {
    child.kill("SIGKILL");
    rmSync(out, { recursive: true });
  }
});

describe("Deno's permissions", () => {
  const rank = [
    "npm:rollout-wire",
    "rank",
    "--input",
    "branches.jsonl",
    "--output",
    "out/ranked.jsonl",
  ];

  test("the modules need none to check and to build records", () => {
    const { folder } = installed;
    const modules = [
      ...["", "/types", "/validators", "/schema", "/export", "/reports"],
      ...["/capture", "/delivery", "/redact", "/eliza"],
    ];
    const imports = modules.map((path) => `import "rollout-wire${path}";`).join("\n");
    const use = `
      import { isDpoRecord, toDpoRecord } from "rollout-wire";
      const branches = ${JSON.stringify(branches.trimEnd().split("\n"))}.map((line) => JSON.parse(line));
      console.log(isDpoRecord(toDpoRecord(branches.slice(0, 2))));
    `;
    writeFileSync(join(folder, "import-all.mjs"), `${imports}${use}`);
    expect(run([...deno(), "import-all.mjs"])).toMatchObject({ stdout: "true\n", stderr: "" });
  });

  test("the program needs these", () => {
    const permissions = ["--allow-env", "--allow-sys", "--allow-read", "--allow-write"];
    const { exitCode, files } = run([...deno(...permissions), ...rank]);
    expect(exitCode).toBe(0);
    expect(Object.keys(files)).toEqual(["ranked.jsonl"]);
    for (const missing of permissions) {
      const others = permissions.filter((each) => each !== missing);
      const denied = run([...deno(...others), ...rank]);
      expect([denied.exitCode, denied.files]).toEqual([3, {}]);
      expect(denied.stderr).toMatch(new RegExp(`^denied by Deno: .*${missing}[^\n]*\n$`));
    }
  });
});
