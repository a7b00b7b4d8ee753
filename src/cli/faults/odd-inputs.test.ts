import { execFileSync } from "node:child_process";
import {
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { runCount } from "../../base/testing/run-count.js";
import {
  createTestFolder,
  type TestFolder,
  type Transcript,
} from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("dpo.jsonl", "former dpo");
  folder.write("ppo.jsonl", "former ppo");
});
afterEach(() => {
  // Whatever the result, no other files remain beside the outputs.
  expect(readdirSync(folder.path).filter((name) => name.startsWith("."))).toEqual([]);
  folder.remove();
});

const line = (fields: Partial<RolloutBranchRecord>) => JSON.stringify(createBranch(fields));
const a0 = line({ rollout_id: "a" });
const a1 = line({ rollout_id: "a", branch_index: 1, rank: 2, total_score: 0, final_answer: "5" });
const b0 = line({ rollout_id: "b" });
/** Scattered, so that it is read twice. */
const three = `${a0}\n${b0}\n${a1}\n`;

function read(name: string): string {
  return readFileSync(join(folder.path, name), "utf8");
}

function exportInputs(...inputs: string[]): Promise<Transcript> {
  return folder.run([
    "export",
    "--allow-missing-g3",
    "--exported-at-ms",
    "0",
    "--input",
    ...inputs,
  ]);
}

function expectFormer(): void {
  expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(["former dpo", "former ppo"]);
}

/** The output for `three`. */
async function expectedOutputs(): Promise<string[]> {
  folder.write("three", three);
  expect((await exportInputs("three")).exitCode).toBe(EXIT.ok);
  const outputs = [read("dpo.jsonl"), read("ppo.jsonl")];
  folder.write("dpo.jsonl", "former dpo");
  folder.write("ppo.jsonl", "former ppo");
  return outputs;
}

describe("the same records in another form", () => {
  test.each([
    ["a byte-order mark", `\ufeff${three}`],
    ["carriage returns", three.replaceAll("\n", "\r\n")],
    ["blank lines", `\n \n${three.replaceAll("\n", "\n\r\n\t\n")}`],
    ["no newline at the end", three.trimEnd()],
    ["gzip", gzipSync(three)],
    ["several gzip members", Buffer.concat([gzipSync(`${a0}\n${b0}`), gzipSync(`\n${a1}`)])],
  ])("with %s", async (_, content) => {
    const expected = await expectedOutputs();
    folder.write("in", content);
    expect((await exportInputs("in")).exitCode).toBe(EXIT.ok);
    expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(expected);
  });

  test("beside an empty file", async () => {
    const expected = await expectedOutputs();
    folder.write("empty", "");
    folder.write("in", three);
    expect((await exportInputs("empty", "in")).exitCode).toBe(EXIT.ok);
    expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(expected);
  });

  test("from a named pipe, which can be read only once", async () => {
    const expected = await expectedOutputs();
    execFileSync("mkfifo", [join(folder.path, "pipe")]);
    Readable.from([three]).pipe(createWriteStream(join(folder.path, "pipe")));
    expect((await exportInputs("pipe")).exitCode).toBe(EXIT.ok);
    expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(expected);
  });

  test("over several files, some of them read only once", async () => {
    const expected = await expectedOutputs();
    folder.write("first", gzipSync(a0));
    folder.write("last", a1);
    const argv = ["export", "--allow-missing-g3", "--input", "first", "-", "last"];
    const { exitCode } = await folder.run(argv, { stdin: [b0.slice(0, 9), b0.slice(9)] });
    expect(exitCode).toBe(EXIT.ok);
    expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(expected);
  });
});

describe("invalid records prevent the export, and are listed", () => {
  const cut = a1.slice(0, -10);
  test.each<[string, string | Uint8Array, string[]]>([
    [
      "a last line that is cut off",
      `${a0}\n${cut}`,
      [`in:2:${cut.length + 1}  (line)  not JSON: unexpected end of input  (json)`],
    ],
    [
      "bytes that are not UTF-8",
      Buffer.concat([
        Buffer.from(`${a0}\n{"a": "`),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}\n'),
      ]),
      ["in:2:8  (line)  not UTF-8: byte 0xc3  (json)"],
    ],
    [
      "a byte-order mark inside the file",
      `${a0}\n\ufeff${a1}\n`,
      ['in:2:1  (line)  not JSON: unexpected "\\ufeff"  (json)'],
    ],
    [
      "branches with one index",
      `${a0}\n${b0}\n${a0.replace("four", "five")}\n`,
      ["(branch-index-unique)", "(rank-permutation)"],
    ],
    [
      "branches that are the same",
      `${a0}\n${a0}\n`,
      ["(branch-index-unique)", "(rank-permutation)"],
    ],
    [
      "branches that disagree on the task",
      `${a0}\n${a1.replace("2+2", "3+3")}\n`,
      ["(one-task-per-rollout)"],
    ],
    ["nothing", "", ["(no-records)"]],
    ["nothing but blank lines", "\n\r\n \n", ["(no-records)"]],
    ["nothing but invalid lines", "NaN\n[1]\n", ["(json)", "(type)"]],
  ])("%s", async (_, content, findings) => {
    folder.write("in", content);
    const { exitCode, stdout, stderr } = await exportInputs("in");
    expect(exitCode).toBe(EXIT.findings);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toEqual(findings.map((finding) => expect.stringContaining(finding)));
    expect(stderr).toContain("nothing written: fix the errors first");
    expectFormer();
  });
});

describe("unreadable files are one line and exit code 3", () => {
  test("a link to itself, a directory, nothing", async () => {
    symlinkSync("loop", join(folder.path, "loop"));
    mkdirSync(join(folder.path, "folder"));
    for (const [name, message] of [
      ["loop", /^loop: its symbolic links lead in a circle\n$/],
      ["none", /^none: no such file\n$/],
      ["three/none", /^three\/none: no such file\n$/],
      ["folder", /^folder: contains no [^\n]+\n$/],
    ] as const) {
      folder.write("three", three);
      const { exitCode, stdout, stderr } = await exportInputs("three", name);
      expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
      expect(stderr).toMatch(message);
    }
    expectFormer();
  });

  test("standard input that breaks off", async () => {
    const broken = Object.assign(new Error("EIO: i/o error, read"), {
      code: "EIO",
      syscall: "read",
    });
    const stdin = (function* () {
      yield three;
      throw broken;
    })();
    const argv = ["export", "--allow-missing-g3", "--input", "-"];
    expect(await folder.run(argv, { stdin })).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "<stdin>: EIO: i/o error, read\n",
    });
    expectFormer();
  });

  test("gzip that is truncated anywhere, or followed by other data", async () => {
    const compressed = gzipSync(three);
    const lengths = fc.integer({ min: 2, max: compressed.length - 1 });
    await fc.assert(
      fc.asyncProperty(lengths, async (length) => {
        folder.write("in", compressed.subarray(0, length));
        const { exitCode, stderr } = await exportInputs("in");
        expect([exitCode, stderr]).toEqual([
          EXIT.unreadable,
          "in: damaged gzip data: unexpected end of file\n",
        ]);
      }),
      { numRuns: runCount(30, 10) },
    );
    folder.write("in", Buffer.concat([compressed, Buffer.from(three)]));
    expect(await exportInputs("in")).toMatchObject({
      exitCode: EXIT.unreadable,
      stderr: expect.stringMatching(/^in: damaged gzip data: /),
    });
    expectFormer();
  });

  test("gzip with any flipped bit: rejected, or read unchanged", async () => {
    const expected = await expectedOutputs();
    const compressed = gzipSync(three);
    await fc.assert(
      fc.asyncProperty(fc.nat(compressed.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Buffer.from(compressed);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        folder.write("in", damaged);
        folder.write("dpo.jsonl", "former dpo");
        folder.write("ppo.jsonl", "former ppo");
        const { exitCode } = await exportInputs("in");
        expect([EXIT.ok, EXIT.findings, EXIT.unreadable]).toContain(exitCode);
        // Some header bits are neither checked nor relevant.
        if (exitCode === EXIT.ok) expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(expected);
        else expectFormer();
      }),
      { numRuns: runCount(60, 15) },
    );
  });
});

describe("an input that changes between two reads", () => {
  /** Exports `in` and standard input. Once standard input is read, `in` has been read once. */
  async function exportWhile(change: (path: string) => void): Promise<Transcript> {
    folder.write("in", `${a0}\n${b0}\n`);
    const stdin = (function* () {
      change(join(folder.path, "in"));
      yield `${a1}\n`;
    })();
    return await folder.run(["export", "--allow-missing-g3", "--input", "in", "-"], { stdin });
  }

  test.each([
    [
      "other records of the same length",
      `${a0.replace("four", "five")}\n${b0}\n`,
      "in:1: changed while being read\n",
    ],
    ["other records", `${b0}\n${a0}\n`, "in:1: changed while being read\n"],
    ["no records", "\n".repeat(1000), "in:1: changed while being read\n"],
    ["less", a0.slice(0, 9), "in: was truncated while being read\n"],
  ])("to %s", async (_, content, message) => {
    const transcript = await exportWhile((path) => writeFileSync(path, content));
    expect(transcript).toEqual({ exitCode: EXIT.unreadable, stdout: "", stderr: message });
    expectFormer();
  });

  test("appended data is ignored", async () => {
    const { exitCode } = await exportWhile((path) => writeFileSync(path, three, { flag: "a" }));
    expect(exitCode).toBe(EXIT.ok);
    expect(read("ppo.jsonl").trimEnd().split("\n")).toHaveLength(3);
  });
});

test("a name that is not UTF-8 is said to be so, and can be left out", async () => {
  mkdirSync(join(folder.path, "in"));
  folder.write("in/good.jsonl", a0);
  const name = Buffer.concat([
    Buffer.from(join(folder.path, "in/b")),
    Buffer.of(0xff),
    Buffer.from(".jsonl"),
  ]);
  writeFileSync(name, b0);
  expect(await folder.run(["validate", "in"])).toMatchObject({
    exitCode: EXIT.unreadable,
    stderr: "in/b\ufffd.jsonl: no such file; if its name is not UTF-8, rename it or leave it out\n",
  });
  expect(await folder.run(["validate", "in", "--exclude", "in/b*"])).toMatchObject({
    exitCode: EXIT.ok,
  });
});
