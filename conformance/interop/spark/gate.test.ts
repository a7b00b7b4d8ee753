import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { toJsonl } from "../../../src/base/json/print.js";
import { packageRoot } from "../../../src/base/package.js";
import { MAX_SEEN } from "../../../src/base/seen-hashes.js";
import { isNightly, sampleCases } from "../../../src/base/testing/run-count.js";
import {
  createTaskCounter,
  readTask,
} from "../../../src/rollouts/wire/decontamination/boilerplate.js";
import { indexItems } from "../../../src/rollouts/wire/decontamination/eval-index.js";
import {
  TEMPLATE,
  templateText,
  uniqueWords,
} from "../../../src/rollouts/wire/decontamination/testing/template-texts.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { createLoggingProgram, type LoggingProgram } from "./testing/logging-program.js";
import { exportHere, readDataset, readRecords, withoutFiles } from "./testing/one-machine.js";
import { SparkDriver } from "./testing/spark-driver.js";

const TIME = ["--exported-at-ms", "5"];
const OPTIONS = { eval_items: "eval.jsonl", exported_at_ms: 5 };

/** A text that tasks contain, and that is an evaluation item. */
const phrase = (name: string): string => uniqueWords(name, 8);

function rollout(id: string, task: string): RolloutBranchRecord[] {
  return [0, 1].map((index) =>
    createBranch({
      ...{ rollout_id: id, task, branch_index: index, rank: index + 1 },
      ...{ total_score: 1 - index, final_answer: `answer ${index} of ${id}` },
    }),
  );
}

const times = <Value>(count: number, create: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => create(index));

/** What five tasks share is template text, but no partition has five of them. */
const sharing = times(6, (index) => rollout(`share-${index}`, templateText(`task${index}x`)));
/** Twelve rollouts, but only four tasks: their phrase is no template text, and they are contaminated. */
const repeating = times(12, (index) =>
  rollout(`repeat-${index}`, `${phrase("repeated")} and own${index % 4}`),
);
/** Four tasks of valid rollouts, and two of invalid ones: contaminated too. */
const halfValid = times(6, (index) =>
  rollout(`half-${index}`, `${phrase("half")} and own${index}`),
);
const copied = rollout("copied", `Please: ${phrase("copied")}`);
const clean = times(40, (index) => rollout(`clean-${index}`, uniqueWords(`clean${index}x`, 12)));
const valid = [...sharing, ...repeating, ...halfValid.slice(0, 4), copied, ...clean].flat();
/** One has no valid line, and one has two tasks. */
const invalid = [
  ...(halfValid[4] ?? []).map((branch) => ({ ...branch, rank: "first" })),
  ...(halfValid[5] ?? []).map((branch) => ({
    ...branch,
    task: `${branch.task} ${branch.branch_index}`,
  })),
];
/** Keeps two rollouts together, so that they are read again. */
const DAMAGED = '{"rollout_id":"share-2","x":nan,"rollout_id":"share-4"}';

let folder = "";
let program: LoggingProgram;
let spark: SparkDriver;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-spark-"));
  program = createLoggingProgram(folder);
  const settings = {
    "spark.sql.files.maxPartitionBytes": "20000",
    "spark.sql.files.openCostInBytes": "1",
  };
  spark = new SparkDriver(folder, { settings, env: program.env });
  const items = [TEMPLATE, ...["repeated", "half", "copied"].map(phrase)];
  writeFileSync(join(folder, "eval.jsonl"), toJsonl(items.map((text) => ({ text }))));
  write("valid", toJsonl(valid));
  write("invalid", `${toJsonl([...valid, ...invalid])}${DAMAGED}\n`);
});
afterAll(async () => {
  await spark.stop();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "a.jsonl"), text);
}

/** A manifest without places: one machine says the line in its shard, and Spark the line in the file. */
function withoutPlaces(dataset: Parameters<typeof withoutFiles>[0]): unknown {
  return JSON.parse(JSON.stringify(withoutFiles(dataset)), (key, value) =>
    key === "file" || key === "line" ? undefined : value,
  );
}

describe.each(sampleCases([2, 8], 1))("template text in %d partitions", (partitions) => {
  test.each(
    sampleCases(
      [
        ["invalid", true],
        ["valid", false],
      ] as const,
      1,
    ),
  )("%s rollouts: the verdicts, records and report of one machine", async (input, skip) => {
    const name = `one-${input}-${partitions}`;
    const drop = ["--drop-contaminated"];
    const flags = [...drop, ...TIME, ...(skip ? ["--skip-invalid"] : [])];
    const sharded = { shards: partitions, evalItems: "eval.jsonl" };
    const expected = await exportHere(folder, name, [input], flags, sharded);
    for (const shard of readdirSync(join(folder, name, "shards"))) {
      const text = readFileSync(join(folder, name, "shards", shard), "utf8");
      expect(text.match(/"share-\d+"/g)?.length ?? 0).toBeLessThan(2 * 5);
    }
    const output = `spark-${input}-${partitions}`;
    const rejects = `rejects-${input}-${partitions}`;
    await spark.call("export", {
      ...{ ...OPTIONS, input, output, partitions, skip_invalid: skip, rejects, flags: drop },
    });
    const found = readDataset(join(folder, output));
    expect(found.records).toEqual(expected.records);
    expect(withoutPlaces(found)).toEqual(withoutPlaces(expected));
    expect(found.manifest.decontamination).toMatchObject({
      boilerplate_ngrams: 13,
      distinct_tasks: 6 + 4 + 4 + 1 + 40,
      only_boilerplate: 6,
    });
    expect(found.manifest.rollouts).toMatchObject({ contaminated: 12 + 4 + 1 });
    const contaminated = readRecords(join(folder, rejects)).filter(({ text }) =>
      /"(repeat|half|copied)/.test(String(text)),
    );
    expect(contaminated).toHaveLength(2 * (12 + 4 + 1 + (skip ? 2 : 0)));
  });
});

test.runIf(isNightly)(
  "the input is read and shuffled as often as without an evaluation set",
  async () => {
    program.takeJobs();
    const args = { input: "valid", exported_at_ms: 5, partitions: 4 };
    await spark.call("export", { ...args, output: "no-gate", allow_missing_g3: true });
    const { keys } = program.takeJobs();
    expect(keys).toBeGreaterThan(1);
    const flags = ["--drop-contaminated"];
    await spark.call("export", { ...args, ...OPTIONS, output: "gate", flags });
    expect(program.takeJobs()).toMatchObject({ keys, tasks: 4, "export-partition": 4 });
    const all = [...flags, "--boilerplate-share=1"];
    await spark.call("export", { ...args, ...OPTIONS, output: "share-1", flags: all });
    const jobs = program.takeJobs();
    expect(jobs).toMatchObject({ keys, "export-partition": 4 });
    expect(jobs).not.toHaveProperty("tasks");
  },
);

test.runIf(isNightly)(
  "contaminated rollouts are errors; of an invalid input, all findings are listed",
  async () => {
    const error = await spark.fail("export", {
      ...{ ...OPTIONS, input: "valid", output: "refused", partitions: 8 },
    });
    expect(error.kinds[0]).toBe("InvalidInput");
    expect(error.findings).toHaveLength(12 + 4 + 1);
    expect(error.findings.map(({ id }) => id)).not.toContain("no-records");
    const args = { ...OPTIONS, input: "invalid", output: "refused", partitions: 8 };
    const { findings } = await spark.fail("export", args);
    const flags = ["--boilerplate-share", "1"];
    expect(findings).toEqual((await spark.fail("export", { ...args, flags })).findings);
    const ids = findings.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["json", "type", "one-task-per-rollout", "g3"]));
  },
);

test.runIf(isNightly)("a field of the items, words per n-gram, and a share", async () => {
  const items = [{ id: "e", text: "no such text", body: phrase("copied").slice(0, -8) }];
  writeFileSync(join(folder, "other.jsonl"), toJsonl(items));
  const indexFlags = ["--eval-field", "body", "--n", "5"];
  const flags = ["--drop-contaminated", "--boilerplate-share", "0.5"];
  const expected = await exportHere(folder, "one-other", ["valid"], [...flags, ...TIME], {
    ...{ evalItems: "other.jsonl", indexFlags },
  });
  await spark.call("export", {
    ...{ input: "valid", output: "spark-other", eval_items: "other.jsonl", eval_field: "body" },
    ...{ n: 5, flags, exported_at_ms: 5, partitions: 3 },
  });
  const found = readDataset(join(folder, "spark-other"));
  expect(found.records).toEqual(expected.records);
  expect(withoutPlaces(found)).toEqual(withoutPlaces(expected));
  expect(found.manifest.rollouts).toMatchObject({ contaminated: 1 });
});

test.runIf(isNightly)("a partition of which everything is left out is no error", async () => {
  write("dropped", toJsonl([...clean.slice(0, 3), ...repeating, copied].flat()));
  await spark.call("export", {
    ...{ ...OPTIONS, input: "dropped", output: "spark-dropped", partitions: 40 },
    ...{ flags: ["--drop-contaminated"] },
  });
  const { manifest } = readDataset(join(folder, "spark-dropped"));
  expect(manifest.rollouts).toMatchObject({ exported: 3, contaminated: 13 });
  write("all-dropped", toJsonl([...repeating, copied].flat()));
  const { kinds, message } = await spark.fail("export", {
    ...{ ...OPTIONS, input: "all-dropped", output: "none", partitions: 3 },
    ...{ flags: ["--drop-contaminated"] },
  });
  expect([kinds[0], message]).toEqual([
    "InvalidInput",
    "no valid records: all were skipped, so nothing was written",
  ]);
});

test.runIf(isNightly)("as many tasks are told apart as on one machine", async () => {
  const source = readFileSync(
    join(packageRoot(), "integrations/spark/rollout_wire_spark/gate.py"),
    "utf8",
  );
  expect(source).toContain(`\nMAX_TASKS = 2**${Math.log2(MAX_SEEN)}\n`);
  const text = (index: number): string => `word${index} word${index + 1}`;
  const { corpus, windows } = indexItems(
    times(20, (line) => ({ file: "e", line, id: "e", text: text(line) })),
    1,
  );
  // Of three partitions, with tasks that come back.
  const tasks = times(30, (index) => text((index * 7) % 11));
  const rows = tasks.map((task, index) => {
    const { hash, tokens } = readTask(task, corpus);
    const place = Math.floor(index / 12) * 2 ** 40 + (index % 12);
    return [place, hash, [...windows.sharedWindows(tokens)]];
  });
  for (const limit of sampleCases([1, 4, 10, 11, 12, 100], 3)) {
    const counter = createTaskCounter(corpus, windows, { share: 0, maxTasks: limit });
    for (const task of tasks) counter.add(task);
    const { tasks: count, repeated } = counter.counts();
    const expected = { tasks: count, repeated: [...repeated].toSorted(([a], [b]) => a - b) };
    expect(await spark.call("count_tasks", { rows, limit })).toEqual(expected);
  }
});
