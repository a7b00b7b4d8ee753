import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bundleFile } from "../../../../base/testing/build-program.js";
import { useFolder } from "../../../../base/testing/use-folder.js";
import { UserError } from "../../../../base/user-error.js";
import { createFileSink, type FileSinkOptions } from "./file.js";
import { SinkError } from "./sink.js";

const SCRIPT = fileURLToPath(new URL("testing/append-records.ts", import.meta.url));
const NOON = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;
const inFolder = useFolder();

function open(options: Partial<FileSinkOptions> = {}, now: () => number = () => NOON) {
  return createFileSink({ type: "file", dir: inFolder("rollouts"), ...options }, now);
}

function read(name: string): string {
  return readFileSync(inFolder("rollouts", name), "utf8");
}

function decompress(name: string): string {
  return gunzipSync(readFileSync(inFolder("rollouts", name))).toString("utf8");
}

test("each day in UTC has a file with one record per line", async () => {
  let now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
  const sink = open({}, () => now);
  await sink.write([{ a: 1 }, { a: "\n" }]);
  now += 1;
  await sink.write([{ a: 3 }]);
  await sink.write([]);
  expect(readdirSync(inFolder("rollouts"))).toEqual([
    "rollouts-2026-01-31.jsonl",
    "rollouts-2026-02-01.jsonl",
  ]);
  expect(read("rollouts-2026-01-31.jsonl")).toBe('{"a":1}\n{"a":"\\n"}\n');
});

test("a line torn by a crash stays a line of its own", async () => {
  mkdirSync(inFolder("rollouts"));
  writeFileSync(inFolder("rollouts", "rollouts-2026-01-31.jsonl"), '{"a":1}\n{"a":');
  await open().write([{ a: 2 }]);
  expect(read("rollouts-2026-01-31.jsonl")).toBe('{"a":1}\n{"a":\n{"a":2}\n');
});

test("no daily file grows beyond maxBytes", async () => {
  const sink = open({ maxBytes: 20 });
  for (const a of [1, 2, 3]) await sink.write([{ a }]);
  await sink.write([{ text: "larger than the bound" }]);
  await sink.write([{ a: 4 }]);
  const names = readdirSync(inFolder("rollouts"));
  expect(names.map((name) => [name, read(name)])).toEqual([
    ["rollouts-2026-01-31.2.jsonl", '{"a":3}\n'],
    ["rollouts-2026-01-31.3.jsonl", '{"text":"larger than the bound"}\n'],
    ["rollouts-2026-01-31.4.jsonl", '{"a":4}\n'],
    ["rollouts-2026-01-31.jsonl", '{"a":1}\n{"a":2}\n'],
  ]);
  // Another process continues with the last file.
  await open({ maxBytes: 20 }).write([{ a: 5 }]);
  expect(read("rollouts-2026-01-31.4.jsonl")).toBe('{"a":4}\n{"a":5}\n');
});

test("finished files are compressed, the current one is not", async () => {
  let now = NOON;
  const sink = open({ maxBytes: 10, gzip: true }, () => now);
  await sink.write([{ a: 1 }]);
  await sink.write([{ a: 2 }]);
  now += DAY_MS;
  await sink.write([{ a: 3 }]);
  await sink.close();
  expect(readdirSync(inFolder("rollouts"))).toEqual([
    "rollouts-2026-01-31.2.jsonl.gz",
    "rollouts-2026-01-31.jsonl.gz",
    "rollouts-2026-02-01.jsonl",
  ]);
  expect(decompress("rollouts-2026-01-31.2.jsonl.gz")).toBe('{"a":2}\n');
});

test("a compressed file is never replaced, and its number is not used again", async () => {
  mkdirSync(inFolder("rollouts"));
  const compressed = inFolder("rollouts", "rollouts-2026-01-31.jsonl.gz");
  writeFileSync(compressed, "somebody's");
  writeFileSync(inFolder("rollouts", "rollouts-2026-01-31.jsonl"), '{"a":1}\n');
  await open().write([{ a: 2 }]);
  expect(read("rollouts-2026-01-31.2.jsonl")).toBe('{"a":2}\n');
  const sink = open({ gzip: true }, () => NOON + DAY_MS);
  await sink.write([{ a: 3 }]);
  await sink.close();
  expect(readFileSync(compressed, "utf8")).toBe("somebody's");
  expect(decompress("rollouts-2026-01-31.2.jsonl.gz")).toBe('{"a":2}\n');
  expect(decompress("rollouts-2026-01-31.3.jsonl.gz")).toBe('{"a":1}\n');
});

test("if the compressing process dies, another one takes its file over after ten minutes", async () => {
  mkdirSync(inFolder("rollouts"));
  const id = "0d9b7c52-7a3e-4d47-9d2a-0d1f2e3c4b5a";
  const name = `rollouts-2026-01-30.packing-${id}.jsonl`;
  const taken = inFolder("rollouts", name);
  writeFileSync(taken, '{"a":1}\n');
  writeFileSync(inFolder("rollouts", `.${name}.gz`), "half");
  const early = open({ gzip: true }, () => Date.now());
  await early.write([{}]);
  await early.close();
  expect(existsSync(taken)).toBe(true);
  const late = open({ gzip: true }, () => Date.now() + 610_000);
  await late.write([{}]);
  await late.close();
  expect(decompress("rollouts-2026-01-30.jsonl.gz")).toBe('{"a":1}\n');
  const rest = readdirSync(inFolder("rollouts")).filter((each) => /^\.|packing/.test(each));
  expect(rest).toEqual([]);
});

test("a file that was moved away is started again", async () => {
  const sink = open();
  await sink.write([{ a: 1 }]);
  renameSync(inFolder("rollouts", "rollouts-2026-01-31.jsonl"), inFolder("moved"));
  await sink.write([{ a: 2 }]);
  expect(read("rollouts-2026-01-31.jsonl")).toBe('{"a":2}\n');
});

test("a write failure names file and reason, and the next write may succeed", async () => {
  writeFileSync(inFolder("rollouts"), "");
  const sink = open();
  const error: unknown = await sink.write([{}]).catch((reason) => reason);
  expect(error).toBeInstanceOf(SinkError);
  expect(String(error)).toContain("rollouts-2026-01-31.jsonl: cannot be written: a file is where");
  renameSync(inFolder("rollouts"), inFolder("away"));
  await sink.write([{}]);
  expect(read("rollouts-2026-01-31.jsonl")).toBe("{}\n");
});

test.each<[Partial<FileSinkOptions>, string]>([
  [{ dir: "" }, "sink: dir"],
  [{ maxBytes: 0 }, "sink: maxBytes"],
  [{ maxBytes: Number.NaN }, "sink: maxBytes"],
])("%o is an error", (options, message) => {
  expect(() => open(options)).toThrow(UserError);
  expect(() => open(options)).toThrow(message);
});

async function runAll(names: readonly string[], args: readonly string[]): Promise<void> {
  const dir = inFolder("rollouts");
  const program = bundleFile(SCRIPT);
  const children = names.map((name) =>
    spawn(process.execPath, [program, dir, name, ...args], { stdio: "inherit" }),
  );
  const codes = await Promise.all(children.map((child) => once(child, "close")));
  expect(codes).toEqual(names.map(() => [0, null]));
}

/** All records of the folder, as `name number half`. */
function readAll(): string[] {
  const names = readdirSync(inFolder("rollouts"));
  const lines = names.flatMap((name) =>
    (name.endsWith(".gz") ? decompress(name) : read(name)).trimEnd().split("\n"),
  );
  // Empty lines are allowed: see appendLines.
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const { name, number, half } = JSON.parse(line);
      return `${name} ${number} ${half ?? 1}`;
    });
}

function expected(names: readonly string[], count: number): string[] {
  const pairs = Array.from({ length: count }, (_, number) => [`${number} 1`, `${number} 2`]).flat();
  return names.flatMap((name) => pairs.map((pair) => `${name} ${pair}`));
}

test("several processes append whole lines to one file, each in order", async () => {
  const names = ["a", "b"];
  await runAll(names, ["150"]);
  const all = readAll();
  for (const name of names) {
    const own = all.filter((line) => line.startsWith(name));
    expect(own).toEqual(expected([name], 150));
  }
  expect(all).toHaveLength(600);
});

test("several processes lose nothing while files are finished and compressed", async () => {
  const names = ["a", "b"];
  await runAll(names, ["100", "60000"]);
  expect(new Set(readAll())).toEqual(new Set(expected(names, 100)));
  expect(readdirSync(inFolder("rollouts")).some((name) => name.endsWith(".gz"))).toBe(true);
});
