import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { features } from "#generated/features.js";
import { sha256 } from "../base/files/hash.js";
import { encode } from "../base/parquet/testing/encode.js";
import { createTestFolder, type TestFolder } from "../base/testing/run-in-folder.js";
import { EXIT } from "../base/user-error.js";
import { createBranch } from "../rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../rollouts/wire/export/testing/create-event.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

/** Branches of two rollouts, scattered if asked for. */
function branchLines(isScattered = false): string[] {
  const event = createEvent({ event: "tool_call", data: { toolName: "f", args: { a: 1 } } });
  const branches = ["r-1", "r-2"].flatMap((id) =>
    [0, 1].map((index) =>
      createBranch({
        rollout_id: id,
        branch_index: index,
        rank: index + 1,
        total_score: 1 - index,
        final_answer: `${index}`,
        seed: index === 0 ? null : 7,
        tool_call_sequence: [event],
      }),
    ),
  );
  const order = isScattered ? [0, 2, 1, 3] : [0, 1, 2, 3];
  return order.map((index) => JSON.stringify(branches[index]));
}

async function writeColumns(name: string, lines: readonly string[]): Promise<void> {
  const bytes = await encode(lines, features.RolloutBranchRecord, { rowGroupBytes: 600 });
  writeFileSync(join(folder.path, name), bytes);
}

function writeLines(name: string, lines: readonly string[]): void {
  const file = parquetWriteBuffer({
    columnData: [{ name: "line", data: [...lines], type: "STRING" }],
  });
  writeFileSync(join(folder.path, name), new Uint8Array(file));
}

function read(name: string): string {
  return readFileSync(join(folder.path, name), "utf8");
}

test.each([false, true])(
  "columns and lines give the export of JSONL (scattered: %s)",
  async (scattered) => {
    const lines = branchLines(scattered);
    folder.write("in.jsonl", `${lines.join("\n")}\n`);
    await writeColumns("columns.parquet", lines);
    writeLines("lines.parquet", lines);
    const argv = ["--allow-missing-g3", "--target", "wire", "--exported-at-ms", "1", "--input"];
    for (const name of ["in.jsonl", "columns.parquet", "lines.parquet"]) {
      const outputs = ["--output-dpo", `${name}.dpo`, "--output-ppo", `${name}.ppo`];
      const run = await folder.run(["export", ...argv, name, ...outputs]);
      expect([name, run.exitCode]).toEqual([name, EXIT.ok]);
      for (const kind of ["dpo", "ppo"]) {
        expect(read(`${name}.${kind}`)).toBe(read(`in.jsonl.${kind}`));
        expect(read(`${name}.${kind}`)).not.toBe("");
      }
    }
  },
);

test("every command that reads branches takes Parquet, whatever it is called, also from a folder", async () => {
  const lines = branchLines();
  await writeColumns("part.parquet", lines);
  await writeColumns(
    "other",
    lines.map((line) => line.replaceAll('"r-', '"s-')),
  );
  for (const [argv, expected] of [
    [["validate", "part.parquet", "other"], "0 errors, 0 warnings in 8 records"],
    [["validate", "."], "in 4 records"],
    [["rank", "--input", "part.parquet", "--output", "out.jsonl"], "4 branches, 2 rollouts"],
    [["show", "--summary", "part.parquet"], ""],
    [["show", "part.parquet", "--rollout", "r-1"], ""],
    [
      ["shard", "split", "--input", "part.parquet", "--shards", "2", "--output", "parts"],
      "4 lines",
    ],
    [["redact", "part.parquet", "--output", "redacted.jsonl"], ""],
  ] as const) {
    const { exitCode, stdout, stderr } = await folder.run(argv);
    expect([argv, exitCode, stdout, stderr]).toEqual([argv, EXIT.ok, stdout, stderr]);
    expect(stdout + stderr).toContain(expected);
  }
});

test("a finding names the file and the row", async () => {
  const lines = branchLines();
  const wrong = lines.with(2, lines[2]?.replace('"temperature":0.7', '"temperature":-1') ?? "");
  await writeColumns("a.parquet", wrong);
  writeLines("b.parquet", [...lines.slice(0, 3), '{"rollout_id": ']);
  const { exitCode, stdout } = await folder.run(["validate", "a.parquet", "b.parquet"]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(/^a\.parquet:3:\d+ {2}\/temperature {2}/m);
  expect(stdout).toMatch(/^b\.parquet:4:\d+ {2}\(line\) +not JSON/m);
});

test("NaN in a column that no type declares is one finding with its name, as in JSONL", async () => {
  const branch = { ...createBranch(), note: "" };
  const rows = Array.from({ length: 7 }, (_, index) => ({ ...branch, rollout_id: `r-${index}` }));
  const columnData = Object.keys(branch).map((name) => {
    const data = rows.map((row) => Object(row)[name]);
    return {
      name,
      data: data.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value)),
    };
  });
  const extra = { name: "extra", data: rows.map(() => Number.NaN), type: "DOUBLE" } as const;
  const file = parquetWriteBuffer({ columnData: [...columnData, extra] });
  writeFileSync(join(folder.path, "in.parquet"), new Uint8Array(file));
  folder.write(
    "in.jsonl",
    rows.map((row) => JSON.stringify({ ...row, extra: 0 }).replace(/0}$/, "NaN}\n")).join(""),
  );
  for (const name of ["in.parquet", "in.jsonl"]) {
    const { exitCode, stdout } = await folder.run(["validate", name]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout.replace(/:1:\d+/, ":1").split("\n")).toEqual([
      `${name}:1  (line)  not JSON: unexpected NaN in "extra"  (json)`,
      "  ... and 6 more in this file",
      expect.stringMatching(
        /^ {2}fix: JSON has no NaN: write null, or leave the field out \(pandas: /,
      ),
      "",
    ]);
  }
});

test("a column of pictures is named, and so is what to do", async () => {
  const rows = branchLines();
  const picture = { name: "picture", data: rows.map(() => Uint8Array.of(0xff, 0xd8)) };
  const file = parquetWriteBuffer({
    columnData: [
      { name: "task", data: rows, type: "STRING" },
      { ...picture, type: "BYTE_ARRAY" },
    ],
  });
  writeFileSync(join(folder.path, "in.parquet"), new Uint8Array(file));
  expect(await folder.run(["validate", "in.parquet"])).toEqual({
    exitCode: EXIT.unreadable,
    stdout: "",
    stderr:
      'in.parquet: cannot be read as Parquet: row group 1: the column "picture" has bytes that are not UTF-8, so no text: leave it out, or write it as text\n',
  });
});

test("the report has the size and the hash of the file", async () => {
  await writeColumns("in.parquet", branchLines());
  const argv = ["export", "--input", "in.parquet", "--allow-missing-g3", "--output-dir", "data"];
  expect((await folder.run(argv)).exitCode).toBe(EXIT.ok);
  const bytes = readFileSync(join(folder.path, "in.parquet"));
  expect(JSON.parse(read("data/manifest.json")).inputs).toEqual([
    { file: "in.parquet", bytes: bytes.length, sha256: sha256(bytes) },
  ]);
});

test("an evaluation set may be Parquet too", async () => {
  await writeColumns("in.parquet", branchLines());
  const data = [
    JSON.stringify({ id: "e", text: "something else than any task of theirs, entirely" }),
  ];
  writeLines("eval.parquet", data);
  const argv = ["export", "--input", "in.parquet", "--eval-items", "eval.parquet"];
  const { exitCode, stderr } = await folder.run([...argv, "--output-dir", "data"]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, stderr]);
});

test("a damaged file, and one in a pipe, are one line and exit 3", async () => {
  await writeColumns("in.parquet", branchLines());
  const bytes = readFileSync(join(folder.path, "in.parquet"));
  writeFileSync(join(folder.path, "cut.parquet"), bytes.subarray(0, -100));
  expect(await folder.run(["validate", "cut.parquet"])).toEqual({
    exitCode: EXIT.unreadable,
    stdout: "",
    stderr:
      "cut.parquet: cannot be read as Parquet: it does not end with a footer, as if it were cut off: copy the file again, or write it again\n",
  });
  const piped = await folder.run(["validate", "-"], { stdin: [bytes] });
  expect(piped).toMatchObject({
    exitCode: EXIT.unreadable,
    stderr:
      "<stdin>: Parquet is read from its end, which a pipe does not have: write it to a file, and give that\n",
  });
});
