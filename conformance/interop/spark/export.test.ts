import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { sampleCases } from "../../../src/base/testing/run-count.js";
import { isTargetId, targets } from "../../../src/rollouts/wire/export/targets/index.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { createRollouts } from "../testing/create-rollouts.js";
import { exportHere, readDataset, readRecords, withoutFiles } from "./testing/one-machine.js";
import { SparkDriver } from "./testing/spark-driver.js";

const TIME = ["--exported-at-ms", "5"];

let folder = "";
let spark: SparkDriver;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-spark-"));
  // Small splits, so that each file has several.
  const settings = {
    "spark.sql.files.maxPartitionBytes": "40000",
    "spark.sql.files.openCostInBytes": "1",
  };
  spark = new SparkDriver(folder, { settings });
  mkdirSync(join(folder, "in"));
  const branches = createRollouts();
  for (const part of [0, 1, 2]) {
    // The branches of a rollout are in different files.
    const own = branches.filter((_, index) => index % 3 === part);
    writeFileSync(join(folder, "in", `part ${part}.jsonl`), toJsonl(own));
  }
});
afterAll(async () => {
  await spark.stop();
  rmSync(folder, { recursive: true });
});

test.each(sampleCases(Object.keys(targets).filter(isTargetId), 2))(
  "%s: the records and the report of one machine, byte for byte",
  async (target) => {
    const flags = ["--target", target, "--allow-missing-g3", ...TIME];
    const expected = await exportHere(folder, `one-${target}`, ["in"], flags);
    const output = `spark-${target}`;
    const options = { allow_missing_g3: true, exported_at_ms: 5, partitions: 3 };
    await spark.call("export", { input: "in", output, target, ...options });
    const found = readDataset(join(folder, output));
    expect(Object.values(expected.records).join("").length).toBeGreaterThan(10_000);
    expect(found.records).toEqual(expected.records);
    expect(withoutFiles(found)).toEqual(withoutFiles(expected));
  },
);

test("the records do not depend on the number of partitions", async () => {
  const flags = ["--allow-missing-g3", ...TIME];
  const expected = await exportHere(folder, "one-shard", ["in"], flags, { shards: 1 });
  for (const partitions of sampleCases([7, 1, 200], 1)) {
    const output = `spark-${partitions}`;
    const options = { allow_missing_g3: true, exported_at_ms: 5, partitions };
    await spark.call("export", { input: "in", output, ...options });
    expect(readDataset(join(folder, output)).records).toEqual(expected.records);
  }
});

test("gate G3: contaminated rollouts are skipped, kept, and reported as on one machine", async () => {
  const task = (words: string): string =>
    `${words} two three four five six seven eight nine ten eleven twelve thirteen fourteen`;
  const branches = Array.from({ length: 40 }, (_, index) =>
    createBranch({
      rollout_id: `r-${index >> 1}`,
      task: index % 4 < 2 ? task(`own ${index >> 1} is`) : `Something else, number ${index >> 1}.`,
      branch_index: index % 2,
      rank: (index % 2) + 1,
      total_score: 1 - (index % 2) / 2,
      final_answer: `answer ${index}`,
    }),
  );
  mkdirSync(join(folder, "g3"));
  writeFileSync(join(folder, "g3/all.jsonl"), toJsonl(branches));
  writeFileSync(join(folder, "eval.jsonl"), toJsonl([{ id: "e-1", question: task("one") }]));
  const drop = ["--skip", "contaminated", "--boilerplate-share", "1"];
  const gate = ["--eval-items", "eval.jsonl", ...drop];
  const expected = await exportHere(folder, "one-g3", ["g3"], [...gate, ...TIME]);
  const { found } = await spark.call("export", {
    ...{ input: "g3", output: "spark-g3", eval_items: "eval.jsonl", flags: drop },
    ...{ rejects: "rejects-g3", exported_at_ms: 5, partitions: 3 },
  });
  const dataset = readDataset(join(folder, "spark-g3"));
  expect(dataset.records).toEqual(expected.records);
  // Of these, one machine says the line in its shard, and Spark the line in the file.
  const strip = (text: string): string =>
    text.replaceAll(/"(file|line)":("[^"]*"|\d+|\[[\d,]*\]),?/g, "");
  const [one, other] = [expected, dataset].map((each) => strip(JSON.stringify(withoutFiles(each))));
  expect(other).toEqual(one);
  expect(JSON.stringify(dataset.manifest.rollouts)).toContain('"contaminated":10');
  expect(found).toEqual({ errors: 0, warnings: 10 });
  const rejects = readRecords(join(folder, "rejects-g3"));
  expect(rejects).toHaveLength(20);
  const first = rejects.find(({ line }) => line === 1);
  expect(first?.file).toBe(join(folder, "g3/all.jsonl"));
  expect(JSON.parse(String(first?.text)).rollout_id).toBe("r-0");

  const error = await spark.fail("export", {
    ...{ input: "g3", output: "spark-g3-refused", eval_items: "eval.jsonl", partitions: 3 },
    flags: ["--boilerplate-share", "1"],
  });
  expect(error.kinds[0]).toBe("InvalidInput");
  expect(error.message).toMatch(/^10 errors, 0 warnings: nothing was written: .*g3\/all\.jsonl:1:/);
  expect(readdirSync(folder)).not.toContain("spark-g3-refused");
});
