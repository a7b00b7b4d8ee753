import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { GoldenCommand } from "#generated/index.js";
import { golden } from "../checks/golden.js";
import { SmallRepository } from "../fixtures/testing/small-repository.js";
import { rewriteGolden } from "../gate.js";
import { runChecks } from "../run.js";

const made: SmallRepository[] = [];
afterEach(() => {
  for (const repository of made.splice(0)) repository.remove();
});

/** A repository with these golden commands and files. */
function create(
  commands: readonly GoldenCommand[],
  files: Readonly<Record<string, string | Uint8Array>> = {},
): SmallRepository {
  const repository = new SmallRepository({ task: { type: "object" } }, { golden: commands });
  made.push(repository);
  for (const [file, text] of Object.entries(files)) {
    repository.write(file, "");
    writeFileSync(join(repository.root, file), text);
  }
  return repository;
}

/** The number of outputs; each finding as `file:line pointer message`, with its detail below. */
async function check(repository: SmallRepository): Promise<[number | undefined, ...string[]]> {
  const [result] = await runChecks([golden], repository.open());
  const found = (result?.findings ?? []).map(({ file, line, pointer, message, detail = "" }) =>
    [`${file}:${line} ${pointer} ${message}`, detail].join("\n").trimEnd(),
  );
  return [result?.checked[0]?.count, ...found];
}

/** What the check says of the only command of a repository, after its place. */
async function complain(
  command: Omit<GoldenCommand, "output">,
  files: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const [, found] = await check(create([{ ...command, output: "expected" }], files));
  expect(found).toMatch(/^rollout-wire\.config\.json:1 \/schemas\/golden\/0\/(?:command|output) /);
  return found?.replace(/^\S+ \S+ /, "");
}

const node = (program: string, ...words: string[]) => ["node", "-e", program, "--", ...words];

/** Prints its arguments, one a line. */
const ECHO = "for (const word of process.argv.slice(1)) console.log(word)";
const ECHOES: GoldenCommand = { command: node(ECHO, "one", "$HOME *"), output: "echo.txt" };

/** Writes two files into a folder. */
const WRITE = `
const [, folder] = process.argv;
fs.mkdirSync(folder + "/deep");
fs.writeFileSync(folder + "/a.json", '{"n":1}\\n');
fs.writeFileSync(folder + "/deep/b.bin", Buffer.of(0, 255, 1));
`;
const WRITES: GoldenCommand = { command: node(WRITE, "{out}"), output: "tests/expected" };
const WRITTEN = {
  "tests/expected/a.json": '{"n":1}\n',
  "tests/expected/deep/b.bin": Buffer.of(0, 255, 1),
};

describe("equal byte for byte", () => {
  test("standard output and a file; words are taken as they are, without a shell", async () => {
    expect(await check(create([ECHOES], { "echo.txt": "one\n$HOME *\n" }))).toEqual([1]);
  });

  test("a folder, with all files below it", async () => {
    expect(await check(create([WRITES], WRITTEN))).toEqual([2]);
  });

  test("it runs in the root, in UTC and without colours", async () => {
    const print = "console.log(fs.existsSync('schemas'), process.env.TZ, process.env.NO_COLOR)";
    const command = { command: node(print), output: "out" };
    expect(await check(create([command], { out: "true UTC 1\n" }))).toEqual([1]);
  });
});

describe("red, at the output", () => {
  test.each([
    [
      "a line",
      "one\ntwo\n",
      "echo.txt:2  differs from what is written now\n@@ -1,2 +1,2 @@\n  one\n- two\n+ $HOME *",
    ],
    ["the final newline", "one\n$HOME *", /^echo\.txt:2 {2}differs from what is written now\n/],
    ["windows line ends", "one\r\n$HOME *\r\n", /^echo\.txt:1 {2}differs /],
    [
      "bytes that are no text",
      Buffer.of(111, 255),
      "echo.txt:1  differs from byte 1 on, and is no text",
    ],
    ["an empty file", "", /^echo\.txt:1 {2}differs /],
  ])("%s", async (_name, committed, finding) => {
    const text = typeof finding === "string" ? finding : expect.stringMatching(finding);
    expect(await check(create([ECHOES], { "echo.txt": committed }))).toEqual([1, text]);
  });

  test("a field of JSON, a missing file and one that is no longer written", async () => {
    const files = { "tests/expected/a.json": '{"n":2}\n', "tests/expected/old.txt": "" };
    expect(await check(create([WRITES], files))).toEqual([
      2,
      "tests/expected/a.json:1 /n the file, field n\n- 2\n+ 1",
      "tests/expected/deep/b.bin:1  is missing",
      "tests/expected/old.txt:1  is unexpected: it is no longer written",
    ]);
  });

  test("of texts that differ much, 20 lines are shown; of those that differ too much, none", async () => {
    const print = (count: number) => ({
      command: node(`for (let i = 0; i < ${count}; i++) console.log(i)`),
      output: "out",
    });
    const [, few] = await check(create([print(100)], { out: "none\n" }));
    expect(few?.split("\n").slice(-2)).toEqual(["+ 17", "... and 82 more lines"]);
    const [, many] = await check(create([print(30_000)], { out: "none\n".repeat(30_000) }));
    expect(many).toBe("out:1  differs from what is written now\ndiffers in more than 2,000 lines");
  });
});

describe("red, at the command", () => {
  test("no such program", async () => {
    expect(await complain({ command: ["no-such-program-here"] })).toBe(
      "no-such-program-here: no program is called no-such-program-here",
    );
  });

  test("a program that cannot be started", async () => {
    expect(await complain({ command: ["./plain.txt"] }, { "plain.txt": "" })).toMatch(
      /^\.\/plain\.txt: cannot start: spawn \.\/plain\.txt EACCES$/,
    );
    expect(await complain({ command: ["node", "a\u0000b"] })).toMatch(
      /: cannot start: .*null bytes/,
    );
  });

  test("an exit code, with the end of what it said", async () => {
    const fail = "console.error('no\\u001b input'); process.exitCode = 3";
    expect(await complain({ command: node(fail) })).toMatch(
      /: ended with code 3\nno\\u001b input$/,
    );
  });

  test("a signal", async () => {
    expect(await complain({ command: node("process.kill(process.pid, 'SIGKILL')") })).toMatch(
      /: ended by SIGKILL$/,
    );
  });

  test("it does not end, or what it started does not: all of it is killed", async () => {
    const start = `
const { spawn } = require("node:child_process");
const { pid } = spawn("sleep", ["600"], { stdio: ["ignore", "inherit", "ignore"] });
fs.writeFileSync("pid", String(pid));
`;
    const repository = create([{ command: node(start), output: "out", seconds: 1 }], { out: "" });
    expect(await check(repository)).toEqual([
      0,
      expect.stringMatching(/\/0\/command node .*: did not end within 1 second$/s),
    ]);
    const pid = Number(repository.read("pid"));
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("it writes nothing, even if nothing is committed", async () => {
    expect(await complain({ command: node("0") }, { expected: "" })).toMatch(/: printed nothing$/);
    const repository = create([{ command: node("0", "{out}"), output: "none" }]);
    expect(await check(repository)).toEqual([
      0,
      expect.stringMatching(/: wrote no file into \{out\}$/),
    ]);
  });

  test("a link, which may lead anywhere", async () => {
    const link = "fs.symlinkSync('/etc/hosts', process.argv[1] + '/hosts')";
    expect(await complain({ command: node(link, "{out}") })).toMatch(
      /: wrote hosts, which is no regular file$/,
    );
  });

  test("an output of the wrong kind, and one in another", async () => {
    expect(await complain({ command: node(ECHO, "a") }, { "expected/a": "" })).toBe(
      "expected is no file: without {out}, a command prints one",
    );
    expect(await complain({ command: node(WRITE, "{out}") }, { expected: "" })).toBe(
      "expected is no folder: {out} in the command is one",
    );
    const inside = { ...ECHOES, output: "tests/expected/echo.txt" };
    expect(await check(create([WRITES, inside], WRITTEN))).toEqual([
      0,
      expect.stringMatching(/\/0\/output is in the way of the output of \/schemas\/golden\/1$/),
      expect.stringMatching(/\/1\/output is in the way of the output of \/schemas\/golden\/0$/),
    ]);
  });

  test("a committed file that is a link", async () => {
    const repository = create([ECHOES], { "other.txt": "one\n$HOME *\n" });
    symlinkSync("other.txt", join(repository.root, "echo.txt"));
    expect(await check(repository)).toEqual([0, expect.stringContaining("echo.txt is no file")]);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("check --write-golden", () => {
  test("writes new and changed files, removes old ones, says what changed; then the check is green", async () => {
    const files = { "tests/expected/a.json": '{"n":2}\n', "tests/expected/old.txt": "" };
    const repository = create([WRITES, ECHOES], files);
    const { text, isWritten } = await rewriteGolden(repository.open());
    expect(isWritten).toBe(true);
    expect(text.split("\n")).toEqual([
      "tests/expected/a.json:1  the file, field n",
      "        - 2",
      "        + 1",
      "tests/expected/deep/b.bin:1  is missing",
      "tests/expected/old.txt:1  is unexpected: it is no longer written",
      "echo.txt:1  is missing",
      "golden outputs: 3 files, 4 changed in 4 places",
      "",
    ]);
    expect(existsSync(join(repository.root, "tests/expected/old.txt"))).toBe(false);
    expect(await check(repository)).toEqual([3]);
    expect((await rewriteGolden(repository.open())).text).toBe(
      "golden outputs: 3 files, 0 changed in 0 places\n",
    );
  });

  test("writes nothing if one command fails", async () => {
    const fails = { command: node("process.exit(1)"), output: "fails.txt" };
    const repository = create([ECHOES, fails], { "echo.txt": "old\n" });
    const { text, isWritten } = await rewriteGolden(repository.open());
    expect([isWritten, repository.read("echo.txt")]).toEqual([false, "old\n"]);
    expect(text).toMatch(/ended with code 1\nnothing written: /);
  });

  test("has nothing to write where no command is named", async () => {
    const repository = create([ECHOES]);
    rmSync(join(repository.root, "rollout-wire.config.json"));
    repository.write("rollout-wire.config.json", '{"repository": "other"}');
    await expect(rewriteGolden(repository.open())).rejects.toThrow(
      '--write-golden: "schemas" in rollout-wire.config.json names no "golden" commands',
    );
  });
});
