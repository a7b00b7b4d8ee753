import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { writeFiles } from "./write-files.js";

// Some tests start processes.
vi.setConfig({ testTimeout: 60_000 });

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-write-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function inFolder(name: string): string {
  return join(folder, name);
}

/** Names and contents of all files that lie in the folder. */
function contents(): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(inFolder(name), "utf8")]));
}

test("new files and replaced ones, in pieces", async () => {
  writeFileSync(inFolder("b"), "old", { mode: 0o640 });
  await writeFiles([
    { path: inFolder("a"), chunks: ["1", "é", "3"] },
    { path: inFolder("b"), chunks: [] },
  ]);
  expect(contents()).toEqual({ a: "1é3", b: "" });
  expect(statSync(inFolder("b")).mode & 0o777).toBe(0o640);
});

describe("the former files stay whole and nothing else remains", () => {
  beforeEach(() => {
    writeFileSync(inFolder("a"), "old a");
    writeFileSync(inFolder("b"), "old b");
  });

  test("when the records of the second file cannot be made", async () => {
    const bug = new TypeError("a bug");
    const failing = (function* () {
      yield "new";
      throw bug;
    })();
    const writing = writeFiles([
      { path: inFolder("a"), chunks: ["new"] },
      { path: inFolder("b"), chunks: failing },
    ]);
    await expect(writing).rejects.toBe(bug);
    expect(contents()).toEqual({ a: "old a", b: "old b" });
  });

  test("when the second file cannot be written", async () => {
    const path = inFolder("none/c");
    const error = await writeFiles([
      { path: inFolder("a"), chunks: ["new"] },
      { path, chunks: ["new"] },
    ]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({
      exitCode: EXIT.unreadable,
      message: expect.stringMatching(/\/none\/c: cannot be written: its folder does not exist/),
    });
    expect(contents()).toEqual({ a: "old a", b: "old b" });
  });

  test("when the second file cannot move into place: the others move back", async () => {
    mkdirSync(inFolder("folder"));
    writeFileSync(inFolder("folder/x"), "");
    const writing = writeFiles([
      { path: inFolder("a"), chunks: ["new"] },
      { path: inFolder("c"), chunks: ["new"] },
      { path: inFolder("folder"), chunks: ["new"] },
    ]);
    await expect(writing).rejects.toThrow(UserError);
    expect(contents()).toEqual({ a: "old a", b: "old b" });
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("when %s ends the process", (signal) => {
    // The writer signals itself amid an output without end.
    const program = `
      import { writeFiles } from "./src/records/write-files.js";
      function* endless() {
        yield "new";
        process.kill(process.pid, "${signal}");
        for (;;) yield "x".repeat(1000);
      }
      await writeFiles([
        { path: ${JSON.stringify(inFolder("a"))}, chunks: ["new"] },
        { path: ${JSON.stringify(inFolder("b"))}, chunks: endless() },
      ]);`;
    const child = spawnSync(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", program],
      { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8" },
    );
    expect(child.stderr).toBe("");
    expect(child.signal).toBe(signal);
    expect(contents()).toEqual({ a: "old a", b: "old b" });
  });
});

test("signals are nobody's business afterwards", async () => {
  const before = process.listenerCount("SIGINT");
  await writeFiles([{ path: inFolder("a"), chunks: ["new"] }]);
  expect(process.listenerCount("SIGINT")).toBe(before);
});
