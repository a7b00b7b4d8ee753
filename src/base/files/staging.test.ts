import { spawnSync } from "node:child_process";
import {
  existsSync,
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
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bundleText } from "../testing/build-program.js";
import { EXIT, UserError } from "../user-error.js";
import { FileStaging, writeFiles } from "./staging.js";

describe("FileStaging", () => {
  let folder = "";
  let staging: FileStaging;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rollout-wire-stage-"));
    staging = new FileStaging();
  });
  afterEach(async () => {
    await staging.close();
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  const path = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(path(name), "utf8");

  describe("files are committed together", () => {
    test("and not earlier", async () => {
      writeFileSync(path("a"), "old");
      const [a, b] = [await staging.open(path("a")), await staging.open(path("b"))];
      await a.write("new ");
      await a.write(Buffer.from("é"));
      await b.write("b");
      expect([read("a"), existsSync(path("b"))]).toEqual(["old", false]);
      await staging.commit();
      expect([a.path, read("a"), read("b")]).toEqual([path("a"), "new é", "b"]);
    });

    test("or not at all", async () => {
      const a = await staging.open(path("a"));
      await a.write("new");
      await staging.close();
      expect(readdirSync(folder)).toEqual([]);
    });

    test("with the content written since clear()", async () => {
      const a = await staging.open(path("a"));
      await a.write("a long text");
      await a.clear();
      await a.write("short");
      await staging.commit();
      expect(read("a")).toBe("short");
    });
  });

  describe("an omitted file", () => {
    test("is removed at the commit, and not earlier", async () => {
      writeFileSync(path("a"), "old a");
      const [a, b] = [await staging.open(path("a")), await staging.open(path("b"))];
      await a.write("new a");
      await b.write("new b");
      a.omit();
      expect(read("a")).toBe("old a");
      await staging.commit();
      expect([existsSync(path("a")), read("b")]).toEqual([false, "new b"]);
    });

    test("need not exist", async () => {
      (await staging.open(path("a"))).omit();
      await staging.open(path("b"));
      await staging.commit();
      expect([existsSync(path("a")), read("b")]).toEqual([false, ""]);
    });

    test("is restored if another file cannot be committed", async () => {
      writeFileSync(path("a"), "old a");
      writeFileSync(path("b"), "old b");
      mkdirSync(path("folder"));
      writeFileSync(path("folder/x"), "");
      const [a, b] = [await staging.open(path("a")), await staging.open(path("b"))];
      a.omit();
      await b.write("new b");
      await staging.open(path("folder"));
      await expect(staging.commit()).rejects.toThrow(UserError);
      expect([read("a"), read("b")]).toEqual(["old a", "old b"]);
    });

    test("stays if the run is abandoned", async () => {
      writeFileSync(path("a"), "old a");
      (await staging.open(path("a"))).omit();
      await staging.close();
      expect(read("a")).toBe("old a");
    });
  });

  test("a file whose folder does not exist", async () => {
    await expect(staging.open(path("none/a"))).rejects.toThrow(
      /none\/a: cannot be written: its folder does not exist/,
    );
  });
});

describe("writeFiles", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rollout-wire-write-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function inFolder(name: string): string {
    return join(folder, name);
  }

  /** Names and contents of all files in the folder. */
  function contents(): Record<string, string> {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(
      files.map(({ name }) => [name, readFileSync(inFolder(name), "utf8")]),
    );
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

  describe("the former files stay intact and nothing else remains", () => {
    beforeEach(() => {
      writeFileSync(inFolder("a"), "old a");
      writeFileSync(inFolder("b"), "old b");
    });

    test("if the records of the second file cannot be created", async () => {
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

    test("if the second file cannot be written", async () => {
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

    test("if the second file cannot be renamed into place: the first one is restored", async () => {
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

    test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
      "if %s ends the process",
      (signal) => {
        // The writer signals itself in the middle of an endless output.
        const program = `
      import { writeFiles } from "./src/base/files/staging.js";
      function* endless() {
        yield "new";
        process.kill(process.pid, process.argv[2]);
        for (;;) yield "x".repeat(1000);
      }
      await writeFiles([
        { path: process.argv[3], chunks: ["new"] },
        { path: process.argv[4], chunks: endless() },
      ]);`;
        const args = [bundleText(program), signal, inFolder("a"), inFolder("b")];
        const child = spawnSync(process.execPath, args, { encoding: "utf8" });
        expect(child.stderr).toBe("");
        expect(child.signal).toBe(signal);
        expect(contents()).toEqual({ a: "old a", b: "old b" });
      },
    );
  });

  test("a signal also removes a file that is being created", () => {
    // The only thread computes before it does what was asked for later. The first clean-up runs last, and lets it go on.
    const program = `
      import { pbkdf2 } from "node:crypto";
      import { stat } from "node:fs/promises";
      import { onEndingSignal } from "./src/base/files/ending-signals.js";
      import { FileStaging } from "./src/base/files/staging.js";
      const [, , folder] = process.argv;
      onEndingSignal(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000));
      const staging = new FileStaging();
      await staging.reserve([folder + "/a"]);
      void staging.open(folder + "/a");
      await Promise.resolve();
      const looked = stat(folder);
      pbkdf2("", "", 100_000, 64, "sha512", () => {});
      await looked;
      process.emit("SIGINT", "SIGINT");`;
    const child = spawnSync(process.execPath, [bundleText(program), folder], {
      encoding: "utf8",
      env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
    });
    expect([child.stderr, child.signal]).toEqual(["", "SIGINT"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("afterwards no signal listener remains", async () => {
    const before = process.listenerCount("SIGINT");
    await writeFiles([{ path: inFolder("a"), chunks: ["new"] }]);
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});
