import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { isNightly, sampleCases } from "../../../src/base/testing/run-count.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { createRollouts } from "../testing/create-rollouts.js";
import { createFailingProgram } from "./testing/failing-program.js";
import { type Dataset, exportHere, readDataset, withoutFiles } from "./testing/one-machine.js";
import { SparkDriver } from "./testing/spark-driver.js";

const FLAGS = ["--allow-missing-g3", "--exported-at-ms", "5"];
const OPTIONS = { input: "in", allow_missing_g3: true, exported_at_ms: 5, partitions: 3 };

let folder = "";
let expected: Dataset;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-spark-"));
  mkdirSync(join(folder, "in"));
  const branches = createRollouts();
  for (const part of [0, 1]) {
    const own = branches.filter((_, index) => index % 2 === part);
    writeFileSync(join(folder, "in", `${part}.jsonl`), toJsonl(own));
  }
  expected = await exportHere(folder, "one", ["in"], FLAGS);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Processes and temporary folders of this test that remain. */
function leftovers(): string[] {
  const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  const own = processes.filter((line) => line.includes("worker") && line.includes(folder));
  const folders = readdirSync(folder).filter((name) => /^rollout-wire-[0-9a-f]{16}-/.test(name));
  return [...own, ...folders];
}

describe.each(
  sampleCases(
    [
      // In the keys, in the first file of records, and in a later one.
      ["node", [300, 30_000, 90_000]],
      ["python", [300, 30_000, 90_000]],
    ] as const,
    1,
  ),
)("kill -9 of a %s worker", (victim, after) => {
  test("in the middle of three tasks: the same output, and nothing twice", async () => {
    const failing = createFailingProgram(folder, victim, after);
    const settings = { "spark.master": "local[2,5]" };
    const spark = new SparkDriver(folder, { env: failing.env, settings });
    try {
      await spark.call("export", { ...OPTIONS, output: `spark-${victim}` });
    } finally {
      await spark.stop();
    }
    expect(failing.kills()).toBe(3);
    const found = readDataset(join(folder, `spark-${victim}`));
    expect(found.records).toEqual(expected.records);
    expect(withoutFiles(found)).toEqual(withoutFiles(expected));
    expect(leftovers()).toEqual([]);
  });
});

test("kill -9 of an executor: what it had stored is built again, and nothing is there twice", async () => {
  const failing = createFailingProgram(folder, "executor", [30_000]);
  const settings = { "spark.master": "local-cluster[2,1,700]", "spark.executor.memory": "600m" };
  const spark = new SparkDriver(folder, { env: failing.env, settings });
  try {
    await spark.call("export", { ...OPTIONS, output: "spark-executor", partitions: 12 });
  } finally {
    await spark.stop();
  }
  expect(failing.kills()).toBe(1);
  const found = readDataset(join(folder, "spark-executor"));
  expect(found.records).toEqual(expected.records);
});

test.runIf(isNightly)(
  "kill -9 of an executor while tasks are counted, and while partitions are exported",
  async () => {
    const items = createRollouts().slice(0, 2);
    writeFileSync(join(folder, "eval.jsonl"), toJsonl(items.map(({ task: text }) => ({ text }))));
    const drop = "--drop-contaminated";
    const expected = await exportHere(folder, "one-gate", ["in"], [drop, "--exported-at-ms", "5"], {
      evalItems: "eval.jsonl",
    });
    // The keys of a file have 4,800 bytes: a worker that has answered one file has tasks next.
    const failing = createFailingProgram(folder, "executor", [5500, 30_000]);
    const settings = { "spark.master": "local-cluster[2,1,700]", "spark.executor.memory": "600m" };
    const spark = new SparkDriver(folder, { env: failing.env, settings });
    try {
      await spark.call("export", {
        ...{ input: "in", eval_items: "eval.jsonl", flags: [drop], exported_at_ms: 5 },
        ...{ output: "spark-gate", partitions: 12 },
      });
    } finally {
      await spark.stop();
    }
    expect(failing.kills()).toBe(2);
    const found = readDataset(join(folder, "spark-gate"));
    expect(found.records).toEqual(expected.records);
  },
);

test("a worker that always dies fails the job: the error says how, and nothing is written", async () => {
  const failing = createFailingProgram(folder, "node", Array(50).fill(300));
  const spark = new SparkDriver(folder, { env: failing.env });
  try {
    const error = await spark.fail("export", { ...OPTIONS, output: "never" });
    expect(error.message).toMatch(/WorkerDied: \S+: the worker was killed by SIGKILL/);
  } finally {
    await spark.stop();
  }
  expect(failing.kills()).toBeGreaterThanOrEqual(3);
  expect(existsSync(join(folder, "never"))).toBe(false);
});

test.each(
  sampleCases(
    [
      [
        "NODE",
        /ProgramMissing: \S+: \/nowhere\/it is no program: pip install 'rollout-wire\[cli\]'/,
      ],
      [
        "PROGRAM",
        /ProgramMissing: \S+: \/nowhere\/it is no file: pip install 'rollout-wire\[cli\]'/,
      ],
    ] as const,
    1,
  ),
)("an executor without its %s says so, with its name", async (name, message) => {
  const settings = { [`spark.executorEnv.ROLLOUT_WIRE_${name}`]: "/nowhere/it" };
  const spark = new SparkDriver(folder, { settings });
  try {
    const error = await spark.fail("export", { ...OPTIONS, output: "never" });
    expect(error.message).toMatch(message);
  } finally {
    await spark.stop();
  }
});

test("a driver without Node says so before it reads anything", async () => {
  const spark = new SparkDriver(folder, { env: { ROLLOUT_WIRE_NODE: "/nowhere/node" } });
  try {
    const error = await spark.fail("export", { ...OPTIONS, output: "never" });
    expect(error.kinds[0]).toBe("ProgramMissing");
    expect(error.message).toMatch(
      /^\S+: \/nowhere\/node is no program: pip install 'rollout-wire\[cli\]'/,
    );
  } finally {
    await spark.stop();
  }
});

test.runIf(isNightly)(
  "skew: a rollout of 50,000 branches among small ones, in 200 partitions",
  async () => {
    const branch = (rollout: string, index: number): object =>
      createBranch({
        rollout_id: rollout,
        task: `task of ${rollout}`,
        branch_index: index,
        rank: index + 1,
        total_score: 1 - index / 100_000,
        final_answer: `answer ${index} of ${rollout} ${"x".repeat(100)}`,
      });
    const large = Array.from({ length: 50_000 }, (_, index) => branch("large", index));
    const small = Array.from({ length: 600 }, (_, index) => branch(`r-${index >> 1}`, index % 2));
    mkdirSync(join(folder, "skew"));
    writeFileSync(
      join(folder, "skew/a.jsonl"),
      toJsonl([...small.slice(0, 300), ...large, ...small.slice(300)]),
    );
    const one = await exportHere(folder, "one-skew", ["skew"], FLAGS);
    const spark = new SparkDriver(folder);
    try {
      await spark.call("export", {
        ...OPTIONS,
        input: "skew",
        output: "spark-skew",
        partitions: 200,
      });
    } finally {
      await spark.stop();
    }
    const found = readDataset(join(folder, "spark-skew"));
    expect(found.records).toEqual(one.records);
    expect(found.records.ppo?.split("\n")).toHaveLength(50_601);
  },
);
