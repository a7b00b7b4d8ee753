import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { buildProgram } from "../../src/base/testing/build-program.js";
import { createTestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { configurePresent } from "../../src/contract/drift/testing/layouts.js";
import { buildWheel } from "./testing/build-wheel.js";
import { runTool } from "./testing/run-tool.js";

const SCHEMA = "src/datafactory/rollout-wire.schema.json";
const GOLDEN = join(packageRoot(), "fixtures/golden/support-desk/input.jsonl");

const folder = createTestFolder();
afterAll(() => folder.remove());
const at = (...path: string[]): string => join(folder.path, ...path);

/** Environments of two users: one with the extra `cli`, one without. */
const PLAIN = "plain";
const WITH_CLI = "with-cli";

beforeAll(async () => {
  const [wheel = ""] = readdirSync(buildWheel()).filter((file) => file.endsWith(".whl"));
  for (const [name, extra] of [
    [PLAIN, ""],
    [WITH_CLI, "[cli]"],
  ] as const) {
    runTool("python3", ["-m", "venv", name], folder.path);
    const pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet"];
    runTool(at(name, "bin/python"), [...pip, join(buildWheel(), wheel) + extra], folder.path);
  }
  configurePresent("trace-pipeline", at("synced"));
  const { exitCode } = await folder.run(["sync", "--repo", "trace-pipeline=synced"]);
  expect(exitCode).toBe(EXIT.ok);
});

beforeEach(() => {
  rmSync(at("repo"), { recursive: true, force: true });
  cpSync(at("synced"), at("repo"), { recursive: true });
});

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command where nothing else is installed: neither Node nor git. */
function run(command: readonly string[], env: NodeJS.ProcessEnv = {}, input = ""): Run {
  const [file = "", ...argv] = command;
  const { status, stdout, stderr } = spawnSync(file, argv, {
    cwd: at("repo"),
    encoding: "utf8",
    input,
    env: { PATH: "", ...env },
  });
  return { status, stdout, stderr };
}

const asModule = (user: string): string[] => [at(user, "bin/python"), "-m", "rollout_wire"];
const asCommand = (user: string): string[] => [at(user, "bin/rollout-wire")];

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(at("repo", path), "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(at("repo", path), change(text));
}

const narrow = (): void => edit(SCHEMA, (text) => text.replace('"minLength": 1', '"minLength": 2'));

describe("without the extra", () => {
  test("drift compares the hashes of what sync wrote, and says what it did not check", () => {
    const clean = run([...asModule(PLAIN), "drift"]);
    expect(clean).toMatchObject({ status: EXIT.ok, stdout: "" });
    expect(clean.stderr).toMatch(/^0 errors \(\d+ copies .*not checked: .*rollout-wire\[cli\]'\n$/);
    narrow();
    rmSync(at("repo/src/rollout_wire/rollout_trace.py"));
    const red = run([...asCommand(PLAIN), "drift"]);
    expect(red.status).toBe(EXIT.findings);
    const guide = readFileSync(join(packageRoot(), "docs/consumers.md"), "utf8");
    const [, block = ""] = /^```\n(src\/datafactory[\s\S]*?)^```$/m.exec(guide) ?? [];
    const withoutCounts = (text: string): string => text.replaceAll(/\d+ copies/g, "N copies");
    expect(withoutCounts(red.stdout + red.stderr)).toBe(withoutCounts(block));
  });

  test("copies of the Python code check the repository that holds them", () => {
    const drift = (): Run => run([...asModule(PLAIN), "drift"], { PYTHONPATH: "src" });
    expect(drift()).toMatchObject({ status: EXIT.ok });
    edit("src/rollout_wire/_faults.py", (text) => `${text}# ours\n`);
    expect(drift()).toMatchObject({
      status: EXIT.findings,
      stdout: expect.stringMatching(/^src\/rollout_wire\/_faults\.py:1:1 .*\(changed\)\n$/),
    });
  });

  test("another command asks for Node, and takes the one on PATH", () => {
    const argv = [...asCommand(PLAIN), "validate", GOLDEN];
    expect(run(argv)).toEqual({
      status: EXIT.usage,
      stdout: "",
      stderr:
        "this needs Node 20.19, or 22.2 and later, and there is none on PATH: pip install 'rollout-wire[cli]'\n",
    });
    expect(run(argv, { PATH: join(process.execPath, "..") })).toMatchObject({ status: EXIT.ok });
  });
});

describe("with the extra", () => {
  const node = [process.execPath, buildProgram().main];
  const ours = (...argv: string[]): Run => run([...node, ...argv]);

  /** An outcome without durations, and with one name for the words that start the program. */
  const normalise = ({ status, stdout, stderr }: Run, words: readonly string[]): Run => {
    const toNeutral = (text: string): string => text.replaceAll(words.join(" "), "PROGRAM");
    const said = stderr.replaceAll(/[\d.]+ (s|ms|MB\/s)\b/g, "N $1");
    return { status, stdout: toNeutral(stdout), stderr: toNeutral(said) };
  };

  test.each([
    ["the command", asCommand],
    ["python -m", asModule],
  ])("%s is the program: output, exit codes, standard input", (_, start) => {
    const theirs = (...argv: string[]): Run => run([...start(WITH_CLI), ...argv]);
    narrow();
    for (const argv of [
      ["drift"],
      ["--help"],
      ["--version"],
      ["validate", GOLDEN],
      ["validate", SCHEMA],
      ["nonsense"],
      ["validate", "nowhere.jsonl"],
    ]) {
      expect(normalise(theirs(...argv), start(WITH_CLI))).toEqual(normalise(ours(...argv), node));
    }
    // The command line that a message gives runs as it is.
    const [, help = ""] = /Help: {2}(.*)\n/.exec(theirs("nonsense").stderr) ?? [];
    expect(help).toBe([...start(WITH_CLI), "--help"].join(" "));
    expect(run(help.split(" "))).toMatchObject({ status: EXIT.ok });
    const lines = readFileSync(GOLDEN, "utf8");
    expect(run([...start(WITH_CLI), "validate", "-"], {}, lines).status).toBe(EXIT.ok);
  });

  test("another package, such as the one for Spark, gets its command line", () => {
    const code =
      "import json; from rollout_wire_extras.command import find_command; print(json.dumps(find_command()))";
    const { stdout } = run([at(WITH_CLI, "bin/python"), "-c", code]);
    const command: string[] = JSON.parse(stdout);
    expect(run([...command, "--version"])).toEqual(ours("--version"));
  });

  test("export writes the same bytes", () => {
    const argv = ["export", "--input", GOLDEN, "--target", "trl", "--allow-missing-g3"];
    const theirs = run([...asCommand(WITH_CLI), ...argv, "--output-dpo", "theirs.jsonl"]);
    expect(theirs).toMatchObject({ status: EXIT.ok });
    expect(ours(...argv, "--output-dpo", "ours.jsonl")).toMatchObject({ status: EXIT.ok });
    const [one, other] = ["theirs", "ours"].map((name) =>
      readFileSync(at("repo", `${name}.jsonl`), "utf8"),
    );
    expect(one).not.toBe("");
    expect(one).toBe(other);
  });

  test("sync copies from the wheel", () => {
    rmSync(at("repo"), { recursive: true });
    configurePresent("trace-pipeline", at("repo"));
    const { status } = run([...asCommand(WITH_CLI), "sync", "--repo", "trace-pipeline=."]);
    expect(status).toBe(EXIT.ok);
    const argv = ["drift", "--repo", "trace-pipeline=."];
    expect(ours(...argv)).toMatchObject({ status: EXIT.ok });
  });

  test.each(["SIGINT", "SIGTERM"] as const)("%s reaches the program", async (signal) => {
    const [file = "", ...argv] = asCommand(WITH_CLI);
    // It waits for standard input.
    const child = spawn(file, [...argv, "validate", "-"], { env: { PATH: "" } });
    const ended = once(child, "exit");
    child.stdin.write(readFileSync(GOLDEN));
    const comm = () => readFileSync(`/proc/${child.pid}/comm`, "utf8").trim();
    await expect.poll(comm, { timeout: 60_000 }).not.toMatch(/python/);
    child.kill(signal);
    const [code, by] = await ended;
    expect(code ?? by).toSatisfy((value: unknown) => value === signal || Number(value) > 128);
  });
});
