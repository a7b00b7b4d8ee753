import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isPartition, type Partition } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { runCount } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { formatBytes } from "../../base/text.js";
import { EXIT } from "../../base/user-error.js";
import { keyOf, keyOfLine } from "../../rollouts/pipeline/partition/key.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { command as shardIndex } from "./shard-index.js";
import { command as shardSplit } from "./shard-split.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const lineOf = (rollout: number, branch: number): string =>
  JSON.stringify(
    createBranch({ rollout_id: `r-${rollout}`, branch_index: branch, rank: branch + 1 }),
  );

const lines = Array.from({ length: 60 }, (_, index) => lineOf(index % 20, Math.floor(index / 20)));

async function partition(count: number, ...inputs: string[]): Promise<readonly string[]> {
  const argv = [
    "shard",
    "split",
    "--input",
    ...inputs,
    "--shards",
    `${count}`,
    "--output",
    `s${count}`,
  ];
  expect(await folder.run(argv)).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  const names = readdirSync(join(folder.path, `s${count}`)).filter((name) => name.endsWith("l"));
  expect(names).toHaveLength(count);
  return names.sort().map((name) => readFileSync(join(folder.path, `s${count}`, name), "utf8"));
}

function readManifest(count: number): Partition {
  const path = join(folder.path, `s${count}/partition.json`);
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isPartition(manifest)) throw new TypeError("no manifest of a partition");
  return manifest;
}

test("the examples run as they are printed", async () => {
  mkdirSync(join(folder.path, "runs"));
  folder.write("runs/a.jsonl.gz", gzipSync(`${lines.join("\n")}\n`));
  folder.write("eval.jsonl", '{"prompt":"Which river is the longest?"}\n');
  const examples = [shardSplit, shardIndex].flatMap((command) => command.examples);
  for (const example of examples) {
    const { exitCode, stderr } = await folder.run(example.replaceAll("'", "").split(" "));
    expect([example, exitCode, stderr]).toEqual([example, EXIT.ok, expect.any(String)]);
  }
  expect(examples).toHaveLength(4);
});

test("a line for each shard says what it holds", async () => {
  folder.write("in.jsonl", `${lines.join("\n")}\n`);
  const argv = ["shard", "split", "--input", "in.jsonl", "--shards", "2", "--output", "shards"];
  const { exitCode, stderr } = await folder.run(argv);
  expect(exitCode).toBe(EXIT.ok);
  const [least = 0, most = 0] = readdirSync(join(folder.path, "shards"))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => statSync(join(folder.path, "shards", name)).size)
    .sort((a, b) => a - b);
  expect(stderr).toBe(
    `  split              shards  2 shards of ${formatBytes(least)} to ${formatBytes(most)}\n` +
      "                     60 lines, 20 rollouts\n",
  );
  expect(readdirSync(join(folder.path, "shards")).sort()).toEqual([
    "part-00001-of-00002.jsonl",
    "part-00002-of-00002.jsonl",
    "partition.json",
  ]);
});

test("all shards together are the same lines in the same order, whatever their number", async () => {
  folder.write("in.jsonl", lines.join("\n"));
  const sorted = lines.toSorted((a, b) => {
    const [one, other] = [a, b].map((line) => keyOf(JSON.parse(line).rollout_id).high);
    return (one ?? 0) - (other ?? 0);
  });
  for (const count of [1, 2, 7, 64]) {
    const shards = await partition(count, "in.jsonl");
    expect(shards.join("")).toBe(`${sorted.join("\n")}\n`);
    const manifest = readManifest(count);
    expect(manifest.shards.map((shard) => shard.sha256)).toEqual(shards.map(sha256));
    expect(manifest.shards.map(({ bytes }) => bytes)).toEqual(shards.map(({ length }) => length));
    const sums = { lines: 0, rollouts: 0 };
    for (const shard of manifest.shards) {
      sums.lines += shard.lines;
      sums.rollouts += shard.rollouts;
    }
    expect([sums, manifest.unplaced_lines]).toEqual([{ lines: 60, rollouts: 20 }, 0]);
  }
});

test("another number of shards replaces those of a former partition", async () => {
  folder.write("in.jsonl", lines.join("\n"));
  const argv = (count: number, input = "in.jsonl"): string[] => [
    ...["shard", "split", "--input", input, "--shards", `${count}`, "--output", "shards"],
  ];
  expect((await folder.run(argv(7))).exitCode).toBe(EXIT.ok);
  folder.write("shards/notes.txt", "mine");
  expect(await folder.run(argv(2))).toMatchObject({
    exitCode: EXIT.ok,
    stderr: expect.stringContaining("\n  removed            7 shards of the former partition\n"),
  });
  const names = ["notes.txt", "part-00001-of-00002.jsonl", "part-00002-of-00002.jsonl"];
  expect(readdirSync(join(folder.path, "shards")).sort()).toEqual([...names, "partition.json"]);
  // What it would remove is never its input.
  const { exitCode, stderr } = await folder.run(argv(7, "shards"));
  expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining("part-00001-of-00002")]);
  expect(readdirSync(join(folder.path, "shards")).sort()).toEqual([...names, "partition.json"]);
});

test("a rollout is in one shard, wherever its branches are in the inputs", async () => {
  const someOrder = fc.tuple(
    fc.shuffledSubarray(lines, { minLength: lines.length }),
    fc.nat(lines.length),
  );
  const check = async ([order, cut]: [string[], number]): Promise<void> => {
    folder.write("a.jsonl", order.slice(0, cut).join("\n"));
    folder.write("b.jsonl.gz", gzipSync(order.slice(cut).join("\n")));
    const shards = await partition(7, "a.jsonl", "b.jsonl.gz");
    const idsOf = (text: string): string[] =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line).rollout_id);
    const all = shards.flatMap((text) => [...new Set(idsOf(text))]);
    expect(all).toHaveLength(20);
    // Adjacent, in the order of the inputs.
    const written = shards.flatMap((text) => text.split("\n").slice(0, -1));
    for (const id of all) {
      const own = (line: string): boolean => JSON.parse(line).rollout_id === id;
      const first = written.findIndex(own);
      expect(written.slice(first, first + 3)).toEqual(order.filter(own));
    }
  };
  await fc.assert(fc.asyncProperty(someOrder, check), { numRuns: runCount(100, 4) });
});

describe("damaged lines", () => {
  test("stay as they are, beside the rollouts that they name, which stay together", async () => {
    // Two records without the line break between them, for neighbours of each pair of rollouts.
    const torn = [3, 4, 5].map((rollout) => lineOf(rollout, 0) + lineOf(rollout + 1, 1));
    folder.write("in.jsonl", [...torn, ...lines].join("\n"));
    for (const count of [2, 64]) {
      const shards = await partition(count, "in.jsonl");
      const holders = shards.filter((text) => torn.some((line) => text.includes(line)));
      expect(holders).toHaveLength(1);
      for (const line of torn) expect(holders[0]).toContain(`${line}\n`);
      for (const id of ["r-3", "r-4", "r-5", "r-6"]) {
        expect(shards.filter((text) => text.includes(`"${id}"`))).toEqual(holders);
      }
      expect(shards.join("").split("\n")).toHaveLength(torn.length + lines.length + 1);
    }
  });

  test("that name no rollout are spread, and counted", async () => {
    const unplaced = ["{}", "NaN", '{"rollout_id":1}', "", " ", '"r-1"', "{}"];
    folder.write("in.jsonl", [...unplaced, ...lines].join("\r\n"));
    const { stderr } = await folder.run(
      ["shard", "split", "--input", "in.jsonl", "--shards", "7"].concat("--output", "s7"),
    );
    expect(stderr).toContain("65 lines, 20 rollouts, 5 lines name no rollout\n");
    const shards = await partition(7, "in.jsonl");
    expect(readManifest(7).unplaced_lines).toBe(5);
    const written = shards.flatMap((text) => text.split("\n").slice(0, -1));
    const kept = [...unplaced, ...lines].filter((line) => line.trim() !== "");
    expect(written.map((line) => line.trimEnd()).sort()).toEqual(kept.sort());
  });

  test("bytes that are not UTF-8 are kept", async () => {
    const line = Buffer.concat([Buffer.from(lines[0] ?? ""), Buffer.of(0xff)]);
    folder.write("in.jsonl", line);
    await partition(1, "in.jsonl");
    const written = readFileSync(join(folder.path, "s1/part-00001-of-00001.jsonl"));
    expect(written.equals(Buffer.concat([line, Buffer.from("\n")]))).toBe(true);
  });
});

describe("a damaged line at the beginning of a shard", () => {
  /** The bytes with a number behind them that puts them before all rollouts. */
  function placeFirst(bytes: Buffer): Buffer {
    const least = Math.min(...lines.map((line) => keyOf(JSON.parse(line).rollout_id).high));
    for (let number = 0; ; number += 1) {
      const line = Buffer.concat([bytes, Buffer.from(` ${number}`)]);
      if (keyOfLine(line).high < least) return line;
    }
  }

  test.each([
    ["NULs", Buffer.alloc(100)],
    ["gzip", Buffer.of(0x1f, 0x8b, 0x08)],
    ["zstd", Buffer.of(0x28, 0xb5, 0x2f, 0xfd)],
    ["Parquet", Buffer.from("PAR1")],
    ["a byte-order mark", Buffer.from("\ufeff{}")],
  ])("is not taken for the beginning of a file: %s", async (_, bytes) => {
    const damaged = placeFirst(bytes);
    const newline = Buffer.from("\n");
    folder.write("in.jsonl", Buffer.concat([Buffer.from(lines.join("\n")), newline, damaged]));
    await partition(1, "in.jsonl");
    const written = readFileSync(join(folder.path, "s1/part-00001-of-00001.jsonl"));
    const head = Buffer.concat([newline, damaged, newline]);
    expect(written.subarray(0, head.length).equals(head)).toBe(true);
    const { exitCode, stdout, stderr } = await folder.run(["validate", "s1", "--shard", "1/1"]);
    expect([exitCode, stderr]).toEqual([
      EXIT.findings,
      expect.stringMatching(/^1 error, .* 61 records/),
    ]);
    expect(stdout).toMatch(/^s1\/part-00001-of-00001\.jsonl:2:\d+ /);
  });
});

describe("refused", () => {
  test("files of another origin that have the names of shards", async () => {
    folder.write("in.jsonl", lines.join("\n"));
    await partition(2, "in.jsonl");
    folder.write("s2/part-00001-of-00004.jsonl", "precious");
    for (const count of ["2", "4"]) {
      const argv = ["shard", "split", "--input", "in.jsonl", "--shards", count, "--output", "s2"];
      expect(await folder.run(argv)).toEqual({
        exitCode: EXIT.usage,
        stdout: "",
        stderr:
          "output s2/part-00001-of-00004.jsonl: no partition.json lists it: move it away, or choose another folder\n",
      });
    }
    expect(readFileSync(join(folder.path, "s2/part-00001-of-00004.jsonl"), "utf8")).toBe(
      "precious",
    );
  });

  test.each([
    ["is longer", "more", "has another size"],
    ["has other bytes", undefined, "has changed"],
  ])(
    "a shard of a former partition that %s since: it is not removed, nor replaced",
    async (_, added, how) => {
      folder.write("in.jsonl", lines.join("\n"));
      const [, text = ""] = await partition(2, "in.jsonl");
      const name = "s2/part-00002-of-00002.jsonl";
      const edited = added === undefined ? text.replace('"rank":1', '"rank":2') : text + added;
      folder.write(name, edited);
      const before = readdirSync(join(folder.path, "s2"));
      for (const count of ["1", "2", "4"]) {
        const argv = ["shard", "split", "--input", "in.jsonl", "--shards", count, "--output", "s2"];
        expect(await folder.run(argv)).toEqual({
          exitCode: EXIT.usage,
          stdout: "",
          stderr: `output ${name}: ${how} since shard split wrote it: move it away, or choose another folder\n`,
        });
      }
      expect(readFileSync(join(folder.path, name), "utf8")).toBe(edited);
      expect(readdirSync(join(folder.path, "s2"))).toEqual(before);
      // A shard that is gone is written again.
      rmSync(join(folder.path, name));
      expect((await partition(2, "in.jsonl"))[1]).toBe(text);
    },
  );

  test("an input without lines, and the former partition stays", async () => {
    folder.write("in.jsonl", lines.join("\n"));
    const before = await partition(2, "in.jsonl");
    const argv = ["shard", "split", "--input", "-", "--shards", "2", "--output", "s2"];
    expect(await folder.run(argv, { stdin: [" \n\n"] })).toEqual({
      exitCode: EXIT.findings,
      stdout: "",
      stderr: "<stdin>: contains no lines: nothing was written\n",
    });
    const names = ["s2/part-00001-of-00002.jsonl", "s2/part-00002-of-00002.jsonl"];
    expect(names.map((name) => readFileSync(join(folder.path, name), "utf8"))).toEqual(before);
  });

  test("standard output", async () => {
    folder.write("in.jsonl", lines.join("\n"));
    const argv = ["shard", "split", "--input", "in.jsonl", "--shards", "2", "--output", "-"];
    const { exitCode, stderr } = await folder.run(argv);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining("name a folder")]);
    expect(existsSync(join(folder.path, "-"))).toBe(false);
  });

  test.each([
    ["0", "'0' is invalid. It must be from 1 to 1024."],
    ["1025", "'1025' is invalid. It must be from 1 to 1024."],
    ["2.5", "'2.5' is invalid. It must be a non-negative integer."],
  ])("%s shards", async (count, message) => {
    folder.write("in.jsonl", lines.join("\n"));
    const argv = ["shard", "split", "--input", "in.jsonl", "--shards", count, "--output", "out"];
    const { exitCode, stderr } = await folder.run(argv);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(message)]);
    expect(existsSync(join(folder.path, "out"))).toBe(false);
  });

  test("a shard that is also the input", async () => {
    folder.write("in.jsonl", lines.join("\n"));
    await partition(1, "in.jsonl");
    const { exitCode, stderr } = await folder.run(
      ["shard", "split", "--input", "s1", "--shards", "1"].concat("--output", "s1"),
    );
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining("part-00001-of-00001.jsonl"),
    ]);
  });

  test("no input", async () => {
    const argv = ["shard", "split", "--input", "none.jsonl", "--shards", "1", "--output", "out"];
    expect(await folder.run(argv)).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "none.jsonl: no such file\n",
    });
  });
});

describe("--shard", () => {
  test.each(["validate", "rank", "export"])("of %s reads one shard", async (command) => {
    folder.write("in.jsonl", lines.join("\n"));
    const shards = await partition(2, "in.jsonl");
    const argv = {
      validate: ["validate", "s2"],
      rank: ["rank", "--input", "s2", "--output", "out.jsonl"],
      export: ["export", "--input", "s2", "--allow-missing-g3", "--exported-at-ms", "0"].concat([
        "--target",
        "wire",
      ]),
    }[command];
    const { exitCode, stdout, stderr } = await folder.run([...(argv ?? []), "--shard", "2/2"]);
    const count = (shards[1] ?? "").split("\n").length - 1;
    expect([exitCode, `${stdout}${stderr}`]).toEqual([
      EXIT.ok,
      expect.stringMatching(new RegExp(`\\b${count} (branches|records)`)),
    ]);
  });

  const exported = ["export", "--allow-missing-g3", "--exported-at-ms", "0", "--target", "wire"];
  test.each([
    ["3/2", ["s2"], "'3/2' is invalid. It must be a number from 1 and that of all shards"],
    ["0/2", ["s2"], "'0/2' is invalid"],
    ["1", ["s2"], "'1' is invalid"],
    ["1/3", ["s2"], "--shard 1/3: s2 has 2 shards, such as 1/2\n"],
    ["1/2", ["in.jsonl"], "--shard: in.jsonl is no folder that shard split wrote: it has no"],
    ["1/2", ["s2", "in.jsonl"], "--shard takes one input: the folder that shard split wrote\n"],
  ])("%s of %s", async (shard, inputs, message) => {
    folder.write("in.jsonl", lines.join("\n"));
    await partition(2, "in.jsonl");
    const { exitCode, stderr } = await folder.run([
      ...exported,
      "--shard",
      shard,
      "--input",
      ...inputs,
    ]);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  test.each([
    ["longer", `${lines[0]}\n`, "has another size"],
    ["other", undefined, "has changed"],
  ])("of a shard that is %s than it was", async (_, added, message) => {
    folder.write("in.jsonl", lines.join("\n"));
    const [, text = ""] = await partition(2, "in.jsonl");
    const name = "s2/part-00002-of-00002.jsonl";
    // Another value of the same length, which is an error besides.
    folder.write(name, added === undefined ? text.replace('"rank":1', '"rank":2') : text + added);
    for (const argv of [
      [...exported, "--input"],
      ["validate"],
      ["rank", "--output", "ranked.jsonl", "--input"],
    ]) {
      expect(await folder.run([...argv, "s2", "--shard", "2/2"])).toEqual({
        exitCode: EXIT.unreadable,
        stdout: "",
        stderr: `${name}: ${message} since shard split wrote it: remove it, and run shard split again\n`,
      });
    }
    expect(readdirSync(folder.path).sort()).toEqual(["in.jsonl", "s2"]);
  });

  test("replaces no file of the partition", async () => {
    folder.write("in.jsonl", lines.join("\n"));
    await partition(2, "in.jsonl");
    const before = ["part-00001-of-00002.jsonl", "partition.json"].map((name) => `s2/${name}`);
    for (const name of before) {
      for (const argv of [
        [...exported, "--output-dpo", name],
        [...exported, "--report", name],
        ["rank", "--output", name],
      ]) {
        const { exitCode, stderr } = await folder.run([...argv, "--input", "s2", "--shard", "2/2"]);
        expect([exitCode, stderr]).toEqual([EXIT.usage, `output ${name}: is also an input\n`]);
      }
    }
  });

  test("of a shard without records says so", async () => {
    folder.write("in.jsonl", lineOf(1, 0));
    const shards = await partition(2, "in.jsonl");
    const empty = shards.indexOf("") + 1;
    const argv = [...exported, "--input", "s2", "--shard", `${empty}/2`, "--output-dir", "out"];
    const { exitCode, stderr } = await folder.run(argv);
    expect([exitCode, stderr]).toEqual([
      EXIT.ok,
      expect.stringMatching(
        /^ {2}validate +0 branches, 0 rollouts, 0 errors, 0 warnings\n {2}decontamination +skipped/,
      ),
    ]);
    expect(stderr).not.toContain("nothing written");
  });

  test("a manifest that is none", async () => {
    folder.write("in.jsonl", lines.join("\n"));
    await partition(2, "in.jsonl");
    for (const text of ["{}", "{", "[]"]) {
      folder.write("s2/partition.json", text);
      const { exitCode, stderr } = await folder.run([
        ...exported,
        "--input",
        "s2",
        "--shard",
        "1/2",
      ]);
      expect([exitCode, stderr]).toEqual([
        EXIT.unreadable,
        "s2/partition.json: is no manifest of a partition (partition/v1): remove it, or choose another folder\n",
      ]);
    }
  });
});
