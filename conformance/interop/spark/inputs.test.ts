import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { isNightly } from "../../../src/base/testing/run-count.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { createRollouts } from "../testing/create-rollouts.js";
import {
  type Dataset,
  exportHere,
  readDataset,
  readRecords,
  runHere,
  withoutFiles,
} from "./testing/one-machine.js";
import { SparkDriver, type SparkFinding } from "./testing/spark-driver.js";

const TIME = ["--exported-at-ms", "5"];
const OPTIONS = { allow_missing_g3: true, exported_at_ms: 5, partitions: 3 };

let folder = "";
let spark: SparkDriver;
let lines: readonly string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-spark-"));
  // Small splits, so that each file has several.
  const settings = {
    "spark.sql.files.maxPartitionBytes": "20000",
    "spark.sql.files.openCostInBytes": "1",
  };
  spark = new SparkDriver(folder, { settings });
  lines = toJsonl(createRollouts()).split("\n").slice(0, -1);
});
afterAll(async () => {
  await spark.stop();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
}

describe("every input that Spark reads", () => {
  let expected: Dataset;
  beforeAll(async () => {
    write("plain/a.jsonl", `${lines.join("\n")}\n`);
    expected = await exportHere(folder, "one-plain", ["plain"], ["--allow-missing-g3", ...TIME]);
  });

  async function exportFrom(input: string | readonly string[], args = {}): Promise<Dataset> {
    const output = `spark-${Math.random().toString(36).slice(2)}`;
    await spark.call("export", { input, output, ...OPTIONS, ...args });
    return readDataset(join(folder, output));
  }

  test("gzip, zstd, a pattern and a folder in one, with a name that a URL quotes", async () => {
    const third = Math.ceil(lines.length / 3);
    const parts = [0, 1, 2].map(
      (at) => `${lines.slice(at * third, (at + 1) * third).join("\n")}\n`,
    );
    const [first = "", second = "", last = ""] = parts;
    write("packed/a 100%.jsonl.gz", gzipSync(first));
    write("packed/b.jsonl", second);
    execFileSync("zstd", [
      "-q",
      join(folder, "packed/b.jsonl"),
      "--rm",
      "-o",
      join(folder, "packed/b.jsonl.zst"),
    ]);
    write("packed/deep/c/c.jsonl", last);
    const found = await exportFrom(["packed/*.gz", "packed/b.jsonl.zst", "packed/deep"]);
    expect(found.records).toEqual(expected.records);
    expect(withoutFiles(found)).toEqual(withoutFiles(expected));
  });

  test.runIf(isNightly)(
    "carriage returns, blank lines, a byte-order mark, and no newline at the end",
    async () => {
      write("windows/a.jsonl", `\ufeff${lines.join("\r\n\r\n \t\r\n")}`);
      expect((await exportFrom("windows")).records).toEqual(expected.records);
    },
  );

  test("Parquet with a column of lines, and with a column for each field", async () => {
    await spark.call("write_parquet", { path: "lines.parquet", input: "plain", column: "line" });
    const found = await exportFrom("lines.parquet", { input_format: "parquet" });
    expect(found.records).toEqual(expected.records);
    const simple = [0, 1].map((index) =>
      createBranch({
        branch_index: index,
        rank: index + 1,
        total_score: 1 - index / 2,
        final_answer: `a ${index}`,
        tool_call_sequence: [],
      }),
    );
    write("simple/a.jsonl", toJsonl(simple));
    const flags = ["--allow-missing-g3", ...TIME];
    const one = await exportHere(folder, "one-simple", ["simple"], flags, { shards: 1 });
    await spark.call("write_parquet", { path: "fields.parquet", input: "simple", column: null });
    const fields = await exportFrom("fields.parquet", { input_format: "parquet" });
    expect(fields.records).toEqual(one.records);
    expect(one.records.dpo?.length).toBeGreaterThan(100);
  });

  test("an output as Parquet: the same records in the columns of the generated features", async () => {
    const output = "spark-parquet";
    const options = { ...OPTIONS, output_format: "parquet" };
    const { manifest } = await spark.call("export", { input: "plain", output, ...options });
    interface Reading {
      readonly schema: { readonly fields: readonly { name: string; type: unknown }[] };
      readonly rows: readonly Record<string, unknown>[];
    }
    const { schema, rows } = await spark.call<Reading>("read_parquet", { path: `${output}/dpo` });
    const dpo = expected.records.dpo?.split("\n").slice(0, -1) ?? [];
    expect(rows).toHaveLength(dpo.length);
    expect(schema.fields.map(({ name }) => name)).toEqual([
      "prompt",
      "chosen",
      "rejected",
      "tools",
      "provenance",
    ]);
    const records = dpo.map((line) => JSON.parse(line));
    const back = rows.map(({ prompt, chosen, rejected }) =>
      [prompt, chosen, rejected].map((list) =>
        Array.isArray(list) ? list.map((each) => JSON.parse(each)) : list,
      ),
    );
    // Spark reads the files in an order of its own.
    const sort = (all: readonly unknown[]): string[] =>
      all.map((each) => JSON.stringify(each)).toSorted();
    expect(sort(back)).toEqual(
      sort(records.map(({ prompt, chosen, rejected }) => [prompt, chosen, rejected])),
    );
    const outputs = Array.isArray(manifest.outputs) ? manifest.outputs : [];
    expect(outputs.map(({ file }) => file).join(" ")).toMatch(/dpo\/part-00000-\S+\.parquet/);
    const card = readFileSync(join(folder, output, "README.md"), "utf8");
    expect(card).toContain('"path":"dpo/part-*.snappy.parquet"');
  });

  test.runIf(isNightly)(
    "a folder that is not empty is refused, and replaced on request",
    async () => {
      write("taken/notes.txt", "mine");
      const error = await spark.fail("export", { input: "plain", output: "taken", ...OPTIONS });
      expect(error.message).toBe("taken: is not empty: choose another folder, or overwrite it");
      expect(readFileSync(join(folder, "taken/notes.txt"), "utf8")).toBe("mine");
      await spark.call("export", { input: "plain", output: "taken", ...OPTIONS, overwrite: true });
      expect(readDataset(join(folder, "taken")).records).toEqual(expected.records);
    },
  );
});

describe("an input with damaged and invalid lines", () => {
  /** Damaged, lost, and invalid lines among valid ones, far enough apart to be in several splits. */
  function damage(): string[] {
    const first = JSON.parse(lines[0] ?? "");
    const other = JSON.parse(lines[100] ?? "");
    const damaged = [...lines];
    damaged[50] = damaged[50]?.slice(0, 200) ?? "";
    damaged[90] = '{"rollout_id": 5}';
    damaged[120] = "NaN";
    damaged[121] = "";
    damaged[150] = `{"rollout_id":"${first.rollout_id}","x":nan,"rollout_id":"${other.rollout_id}"}`;
    damaged[200] = JSON.stringify({ ...JSON.parse(lines[200] ?? ""), rank: "first" });
    return damaged;
  }

  beforeAll(() => {
    const damaged = damage();
    write("bad/a.jsonl", `${damaged.slice(0, 130).join("\n")}\n`);
    write("bad/b.jsonl", `${damaged.slice(130).join("\n")}\n`);
    // Not UTF-8.
    const bytes = Buffer.from(damaged[7] ?? "");
    bytes[bytes.length - 20] = 0xff;
    write("bad/c.jsonl", Buffer.concat([Buffer.from("\n\n"), bytes, Buffer.from("\n")]));
  });

  /** Findings as texts, sorted. */
  function toTexts(findings: readonly SparkFinding[]): string[] {
    return findings
      .map(({ id, file, line, column, pointer, message }) => {
        const name = file.replace(`${folder}/`, "");
        return `${name}:${line}:${column} ${pointer} ${id} ${message}`;
      })
      .toSorted();
  }

  async function validateBoth(input: string): Promise<{ one: string[]; spark: string[] }> {
    const { stdout } = await runHere(folder, ["validate", input, "--format", "json"]);
    const report: { findings: SparkFinding[]; checked: number } = JSON.parse(stdout);
    const found = await spark.call("validate", { input, partitions: 5 });
    expect(found.checked).toBe(report.checked);
    const places = found.findings.map(({ file, line }) => `${file}:${String(line).padStart(5)}`);
    expect(places).toEqual(places.toSorted());
    return { one: toTexts(report.findings), spark: toTexts(found.findings) };
  }

  test("validate finds what one machine finds, with file and line", async () => {
    for (const name of ["a", "b", "c"]) {
      const text = readFileSync(join(folder, `bad/${name}.jsonl`));
      // Blank lines in place of those that name no rollout.
      const latin = text.toString("latin1").replace(/^(NaN|\{"rollout_id": 5\})$/gm, "");
      write(`named/${name}.jsonl`, Buffer.from(latin, "latin1"));
    }
    const { one, spark } = await validateBoth("named");
    expect(one.length).toBeGreaterThanOrEqual(5);
    expect(spark).toEqual(one);
  });

  test.runIf(isNightly)(
    "a line that names no rollout is reported once, and spares fewer rollouts than on one machine",
    async () => {
      const { one, spark } = await validateBoth("bad");
      expect(one.join("\n")).toContain("bad/a.jsonl:121:1  json not JSON: unexpected NaN");
      expect(spark.filter((each) => !one.includes(each))).toEqual([
        "bad/a.jsonl:123:177 /rank rank-permutation rank 2 in a rollout of 1 branch",
      ]);
      expect(one.filter((each) => !spark.includes(each))).toEqual([]);
    },
  );

  test("an error stops the export: it is named with file and line, and nothing is written", async () => {
    const error = await spark.fail("export", { input: "bad", output: "refused", ...OPTIONS });
    expect(error.kinds).toContain("InvalidInput");
    expect(error.message).toMatch(
      /^\d+ errors, \d+ warnings?: nothing was written: \S+\/bad\/a\.jsonl:51:/,
    );
    const [first] = error.findings.filter(({ severity }) => severity === "error");
    expect(first).toMatchObject({ file: join(folder, "bad/a.jsonl"), line: 51 });
    expect(() => readDataset(join(folder, "refused"))).toThrow("ENOENT");
  });

  test("skip_invalid: the records, the counts and the rejects of one machine", async () => {
    const flags = ["--allow-missing-g3", "--skip-invalid", ...TIME];
    const expected = await exportHere(folder, "one-bad", ["bad"], flags);
    const options = { ...OPTIONS, skip_invalid: true, rejects: "rejects" };
    await spark.call("export", { input: "bad", output: "spark-bad", ...options });
    const found = readDataset(join(folder, "spark-bad"));
    expect(found.records).toEqual(expected.records);
    expect(withoutFiles(found)).toEqual(withoutFiles(expected));
    const whole = ["export", "--input", "bad", ...flags, "--rejects", "one-rejects.jsonl"];
    await runHere(folder, [...whole, "--output-dir", "one-whole"]);
    const one = readFileSync(join(folder, "one-rejects.jsonl"), "utf8").split("\n").slice(0, -1);
    const here = one.map((line) => line.replaceAll('"file":"bad/', `"file":"${folder}/bad/`));
    const rejects = readRecords(join(folder, "rejects")).map((each) => JSON.stringify(each));
    expect(here.length).toBeGreaterThanOrEqual(6);
    expect(rejects.toSorted()).toEqual(here.toSorted());
  });

  test.runIf(isNightly)(
    "a damaged line at the beginning of a partition is not taken for a compressed file",
    async () => {
      mkdirSync(join(folder, "holes"));
      const holes = ["\0".repeat(100), "PAR1", "\x1f\x8b\x08"].map((line) =>
        Buffer.from(line, "latin1"),
      );
      const [good = ""] = readFileSync(join(folder, "bad/a.jsonl"), "utf8").split("\n");
      const lines = [Buffer.from(good), ...holes].flatMap((line) => [line, Buffer.from("\n")]);
      writeFileSync(join(folder, "holes/a.jsonl"), Buffer.concat(lines));
      const options = { ...OPTIONS, partitions: 32, skip_invalid: true, rejects: "hole-rejects" };
      const input = { input: "holes", output: "spark-holes", ...options };
      const { manifest } = await spark.call("export", input);
      expect(manifest.lines).toEqual({ read: 4, valid: 1, invalid: 3 });
      const rejects = readRecords(join(folder, "hole-rejects"));
      expect(rejects.map((each) => Reflect.get(Object(each), "line")).toSorted()).toEqual([
        2, 3, 4,
      ]);
    },
  );
});

test.each([
  [
    "a flag that is a parameter",
    { flags: ["--target=wire"] },
    "--target=wire: this flag is a parameter here, or has no use in Spark",
  ],
  [
    "a flag that the program does not know",
    { flags: ["--frobnicate"] },
    /unknown option '--frobnicate' {2}Help: {2}\S.* export --help$/,
  ],
  [
    "redaction with other placeholders in each partition",
    { flags: ["--redact"] },
    "--redact requires --redact-key: otherwise each partition would have other placeholders",
  ],
  [
    "no evaluation set",
    { allow_missing_g3: false },
    "no evaluation set to decontaminate against: give eval_items, or allow_missing_g3 to export without",
  ],
  [
    "an evaluation set that is missing",
    { eval_items: "no.jsonl" },
    "no.jsonl: there is no such file on the driver",
  ],
  [
    "an unknown format",
    { output_format: "csv" },
    "there is no output format csv: choose jsonl or parquet",
  ],
  ["no partitions", { partitions: -1 }, "partitions must be at least 1, not -1"],
  [
    "one input twice",
    { input: ["plain", "plain/a.jsonl"] },
    /plain\/a\.jsonl: given twice; name each input once$/,
  ],
])("%s is refused in one line", async (_, args, message) => {
  write("plain/a.jsonl", `${lines.join("\n")}\n`);
  const error = await spark.fail("export", { input: "plain", output: "none", ...OPTIONS, ...args });
  expect(error.kinds).toContain("RolloutWireError");
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain("\n");
});

test.runIf(isNightly)("no records, and files that the flags name", async () => {
  write("empty/a.jsonl", "\n\n");
  const error = await spark.fail("export", { input: "empty", output: "none", ...OPTIONS });
  expect(error.message).toBe(
    "1 error, 0 warnings: nothing was written: empty:1:1  (line)  contains no records: nothing was checked  (no-records)",
  );
  write("secrets/key.txt", "0123456789abcdef0123");
  write("plain/a.jsonl", `${lines.join("\n")}\n`);
  const redact = ["--redact", "--redact-key", "key.txt"];
  const flags = ["--allow-missing-g3", "--redact", "--redact-key", "secrets/key.txt", ...TIME];
  const expected = await exportHere(folder, "one-redacted", ["plain"], flags);
  await spark.call("export", {
    ...{ input: "plain", output: "spark-redacted", files: ["secrets/key.txt"], flags: redact },
    ...OPTIONS,
  });
  expect(readDataset(join(folder, "spark-redacted")).records).toEqual(expected.records);
});
