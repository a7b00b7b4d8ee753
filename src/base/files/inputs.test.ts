import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { expandInputs, isRereadable, readText } from "./inputs.js";

describe("expandInputs", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "rollout-wire-inputs-"));
    const files = ["b.jsonl", "a.jsonl", "runs/2/z.jsonl.gz", "runs/10/y.jsonl", "runs/notes.md"];
    for (const file of [...files, "odd[1].jsonl", "other/x.txt"]) {
      mkdirSync(join(cwd, dirname(file)), { recursive: true });
      writeFileSync(join(cwd, file), "");
    }
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  test.each([
    [
      ["b.jsonl", "-", "a.jsonl"],
      ["b.jsonl", "-", "a.jsonl"],
    ],
    [["*.jsonl"], ["a.jsonl", "b.jsonl", "odd[1].jsonl"]],
    [["runs"], ["runs/10/y.jsonl", "runs/2/z.jsonl.gz"]],
    [["runs/**/*.md"], ["runs/notes.md"]],
    [["odd[1].jsonl"], ["odd[1].jsonl"]],
    [
      ["b.jsonl", "*.jsonl", "./a*", "."],
      ["b.jsonl", "a.jsonl", "odd[1].jsonl", "runs/10/y.jsonl", "runs/2/z.jsonl.gz"],
    ],
    [["none.jsonl"], ["none.jsonl"]],
  ])("%j", async (inputs, files) => {
    expect(await expandInputs(inputs, { cwd })).toEqual(files);
  });

  test.each([
    [["."], ["runs/10"], ["a.jsonl", "b.jsonl", "odd[1].jsonl", "runs/2/z.jsonl.gz"]],
    [["runs"], ["**/*.gz"], ["runs/10/y.jsonl"]],
    [["*.jsonl"], ["a.jsonl", "odd*"], ["b.jsonl"]],
    [
      ["a.jsonl", "."],
      ["a.jsonl", "runs"],
      ["a.jsonl", "b.jsonl", "odd[1].jsonl"],
    ],
  ])("%j without %j", async (inputs, exclude, files) => {
    expect(await expandInputs(inputs, { cwd }, { exclude })).toEqual(files);
  });

  test("the folder from which globs of exclusion begin is the current one", async () => {
    const inside = { cwd: join(cwd, "runs") };
    expect(await expandInputs([".."], inside, { exclude: ["10", "*.jsonl"] })).toEqual([
      "../runs/2/z.jsonl.gz",
    ]);
  });

  test("a folder of which every file is excluded", async () => {
    const expanding = expandInputs(["runs"], { cwd }, { exclude: ["runs/**"] });
    await expect(expanding).rejects.toThrow(
      "runs: contains no **/*.jsonl, **/*.jsonl.gz, **/*.jsonl.zst, **/*.parquet (2 excluded files)",
    );
  });

  test("a file is read once, by its own name, although links lead to it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rollout-wire-links-"));
    writeFileSync(join(folder, "b.jsonl"), "");
    symlinkSync("b.jsonl", join(folder, "a-latest.jsonl"));
    linkSync(join(folder, "b.jsonl"), join(folder, "c.jsonl"));
    const expand = (...inputs: string[]) => expandInputs(inputs, { cwd: folder });
    expect(await expand(".")).toEqual(["b.jsonl"]);
    expect(await expand(".", "a-latest.jsonl")).toEqual(["a-latest.jsonl"]);
    expect(await expand("a*.jsonl")).toEqual(["a-latest.jsonl"]);
    rmSync(folder, { recursive: true });
  });

  test("a file that is named twice is returned twice, so that requireFiles can reject it", async () => {
    expect(await expandInputs(["a.jsonl", "a.jsonl"], { cwd })).toEqual(["a.jsonl", "a.jsonl"]);
  });

  test.each([
    ["none*.jsonl", "none*.jsonl: matches no file"],
    ["other", "other: contains no **/*.jsonl, **/*.jsonl.gz, **/*.jsonl.zst, **/*.parquet"],
  ])("%s finds nothing", async (input, message) => {
    const error = await expandInputs([input], { cwd }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ message, exitCode: EXIT.unreadable });
  });
});

describe("isRereadable", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "rollout-wire-plain-"));
    writeFileSync(join(cwd, "plain"), "text");
    writeFileSync(join(cwd, "empty"), "");
    writeFileSync(join(cwd, "short"), Buffer.from([0x1f]));
    writeFileSync(join(cwd, "text.gz"), "not compressed, whatever it is called");
    writeFileSync(join(cwd, "compressed"), gzipSync("text"));
    writeFileSync(join(cwd, "zstd"), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]));
    symlinkSync("plain", join(cwd, "link"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  test.each([
    ["plain", true],
    ["empty", true],
    ["short", true],
    ["text.gz", true],
    ["link", true],
    ["compressed", false],
    ["zstd", false],
    // Nobody writes to it: reading it would block for ever.
    ["pipe", false],
    ["-", false],
  ])("%s: %s", async (file, expected) => {
    expect(await isRereadable(file, { cwd, stdin: Readable.from([]) })).toBe(expected);
  });

  test("a missing file", async () => {
    const asked = isRereadable("none", { cwd, stdin: Readable.from([]) });
    await expect(asked).rejects.toThrow(UserError);
    await expect(asked).rejects.toThrow("none: no such file");
  });
});

describe("readText", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "rollout-wire-text-"));
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  async function* toStdin(...chunks: (Uint8Array | string)[]) {
    yield* chunks;
  }

  async function readError(content: Uint8Array | string, limits = {}): Promise<string> {
    const reading = readText("-", { stdin: toStdin(content), cwd }, limits);
    const error = await reading.catch((thrown: unknown) => thrown);
    if (!(error instanceof UserError)) throw new Error(`no UserError: ${error}`);
    expect(error.exitCode).toBe(EXIT.unreadable);
    return error.message;
  }

  test("the text of a file, compressed or not, and of standard input", async () => {
    const text = "dí\ufeffa\r\n\n👍";
    writeFileSync(join(cwd, "plain"), `\ufeff${text}`);
    writeFileSync(join(cwd, "compressed"), gzipSync(text));
    expect(await readText("plain", { stdin: toStdin(), cwd })).toBe(text);
    expect(await readText("compressed", { stdin: toStdin(), cwd })).toBe(text);
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte));
    expect(await readText("-", { stdin: toStdin(...bytes), cwd })).toBe(text);
    expect(await readText("-", { stdin: toStdin(), cwd })).toBe("");
  });

  test("invalid UTF-8 is reported with its line", async () => {
    expect(await readError(Buffer.concat([Buffer.from("á\n\nb"), Buffer.of(0xe9)]))).toBe(
      "<stdin>:3: not UTF-8: byte 0xe9",
    );
  });

  test("a text that is too long for a string", async () => {
    expect(await readError("12345", { maxBytes: 4 })).toBe(
      "<stdin>: more than 4 bytes: too long to be read at once",
    );
    expect(await readText("-", { stdin: toStdin("1234"), cwd }, { maxBytes: 4 })).toBe("1234");
  });
});
