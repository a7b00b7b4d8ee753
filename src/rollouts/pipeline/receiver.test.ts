import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ScratchFile } from "../../base/files/scratch-file.js";
import { FileStaging } from "../../base/files/staging.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { Rejects } from "../../base/run/rejects.js";
import { createEvalIndex } from "../wire/decontamination/eval-index.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { type BuiltBlock, buildBlock } from "./build-block.js";
import { OutputReceiver, type ReceiverOptions } from "./receiver.js";
import { RecordOutput } from "./record-output.js";
import { LineReader } from "./reread.js";
import { blockOf, toLines } from "./testing/block-of.js";
import { builderOf, exportPlan } from "./testing/export-plan.js";

describe("OutputReceiver", () => {
  let folder = "";
  let staging: FileStaging;
  let outputs: RecordOutput[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "rollout-wire-receiver-"));
    staging = new FileStaging();
    outputs = [];
    for (const name of ["dpo", "ppo"]) {
      outputs.push(await RecordOutput.open({ path: join(folder, name) }, staging, true));
    }
  });
  afterEach(async () => {
    await staging.close();
    rmSync(folder, { recursive: true });
  });

  const reader = new LineReader(new Map());

  function create(options: Partial<ReceiverOptions> = {}): OutputReceiver {
    return new OutputReceiver({ limits: { maxErrors: 10 }, outputs, ...options });
  }

  function findingsOf(receiver: OutputReceiver, limits = { maxErrors: 10 }): FindingList {
    const findings = new FindingList(limits);
    receiver.addFindings(findings);
    return findings;
  }

  /** A block whose rollouts are all built. Its first and last lines are ignored. */
  function process(text: string, plan = exportPlan): BuiltBlock {
    const fence = (id: string) => toLines([createBranch({ rollout_id: id })]);
    const block = blockOf(`${fence("first")}${text}${fence("last")}`);
    return buildBlock(
      { plan, file: "a", input: 0, block, limits: plan, build: true },
      builderOf(plan),
    );
  }

  const rollout = (id: string, count = 1) =>
    toLines(
      Array.from({ length: count }, (_, branch_index) =>
        createBranch({ rollout_id: id, branch_index, rank: branch_index + 1 }),
      ),
    );
  /** Two branches with the same index and no other fault. */
  const twins = toLines([1, 2].map((rank) => createBranch({ rollout_id: "twins", rank })));

  async function receive(receiver: OutputReceiver, block: BuiltBlock): Promise<void> {
    await receiver.checked(block);
    await receiver.built(block.serialized, reader);
  }

  /** Ids of the rollouts whose rewards were written. */
  async function written(): Promise<string[]> {
    await staging.commit();
    const lines = readFileSync(join(folder, "ppo"), "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line).provenance.rollout_id);
  }

  test("everything received is written and counted", async () => {
    const receiver = create();
    await receive(receiver, process(`${rollout("a", 2)}${rollout("b")}`));
    await receive(receiver, process(rollout("c")));
    expect([receiver.lines, receiver.rejected, findingsOf(receiver).errors]).toEqual([8, 0, 0]);
    expect([receiver.counts.rollouts, receiver.counts.branches]).toEqual([3, 4]);
    expect(outputs.map(({ records }) => records)).toEqual([0, 4]);
    expect(await written()).toEqual(["a", "a", "b", "c"]);
  });

  test("on restart it forgets the rollouts and keeps the lines", async () => {
    const receiver = create();
    const block = process(`${rollout("a")}${twins}`);
    await receive(receiver, block);
    await receiver.restart();
    expect([receiver.counts.rollouts, findingsOf(receiver).errors, receiver.lines]).toEqual([
      0, 0, 5,
    ]);
    expect(outputs.map(({ parts: [{ records, bytes }] }) => [records, bytes])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    await receiver.built(process(rollout("b")).serialized, reader);
    expect(await written()).toEqual(["b"]);
  });

  describe("errors", () => {
    test("in lines: rollouts are no longer wanted", async () => {
      const receiver = create();
      expect(receiver.wantsRollouts).toBe(true);
      await receive(receiver, process(`NaN\n${twins}`));
      expect([receiver.wantsRollouts, receiver.rejected]).toEqual([false, 1]);
      // Rollouts that may lack a line are not reported.
      expect(
        findingsOf(receiver)
          .toReport("export")
          .findings.map(({ id }) => id),
      ).toEqual(["json"]);
    });

    test("in rollouts: nothing more is written, and all are reported", async () => {
      const receiver = create();
      await receive(receiver, process(twins));
      await receive(receiver, process(`${rollout("a")}${twins}`));
      expect([receiver.wantsRollouts, findingsOf(receiver).errors]).toEqual([true, 2]);
      expect(outputs.map(({ records }) => records)).toEqual([0, 0]);
      expect(receiver.counts.faulty).toEqual({ rollouts: 2, branches: 4 });
    });

    test("for warnings beyond the limit, counted over lines and rollouts together", async () => {
      const plan = { ...exportPlan, skipInvalid: true, keepRejects: true };
      const limits = { maxErrors: 10, maxWarnings: 1 };
      const receiver = create({ limits });
      await receive(receiver, process(`NaN\n${twins}`, plan));
      expect(receiver.wantsRollouts).toBe(true);
      const { errors, warnings } = findingsOf(receiver, limits);
      expect([errors, warnings]).toEqual([1, 1]);
    });
  });

  test("rejected lines are kept immediately, those of rollouts for now", async () => {
    const lines = await staging.open(join(folder, "rejects"));
    const held = new ScratchFile(join(folder, "scratch"));
    const receiver = create({ rejects: new Rejects(lines, held) });
    const block = process(`NaN\n${twins}`, { ...exportPlan, skipInvalid: true, keepRejects: true });
    await receive(receiver, block);
    expect(held.length).toBe(block.serialized.rejects.length);
    await receiver.restart();
    expect(held.length).toBe(0);
    held.close();
    await staging.commit();
    expect(readFileSync(join(folder, "rejects"), "utf8")).toMatch(
      /^\{"file":"a","line":2,[^\n]*\n$/,
    );
  });

  test("contaminated rollouts are removed from the output, at any position", async () => {
    const dirty = "what is the capital of the land of the free";
    const index = createEvalIndex([{ id: "e", file: "eval", line: 1, text: dirty }]);
    const path = join(folder, "in");
    for (const ids of ["x", "xab", "axb", "abx", "xaxxbx"]) {
      const receiver = create({ gate: { index, drop: true } });
      await receiver.restart();
      const branches = [...ids].map((id, at) =>
        createBranch({ rollout_id: `${id}${at}`, task: id === "x" ? dirty : "clean" }),
      );
      const block = process(toLines(branches));
      writeFileSync(path, toLines([createBranch({ rollout_id: "first" }), ...branches]));
      const own = new LineReader(new Map([[0, { file: "a", path }]]));
      await receiver.checked(block);
      await receiver.built(block.serialized, own);
      own.close();
      const clean = branches.filter(({ task }) => task === "clean").length;
      expect([receiver.counts.rollouts, outputs[1]?.records]).toEqual([clean, clean]);
      expect(receiver.contamination?.rollouts).toBe(ids.length - clean);
    }
    expect(await written()).toEqual(["a1", "b4"]);
  });

  test("rollouts are received again if template text is recognised, and only then", async () => {
    const phrase = "please answer the question of the customer in one sentence";
    const index = createEvalIndex([{ id: "e", file: "eval", line: 1, text: `${phrase} now` }]);
    const receiver = create({ gate: { index, drop: true } });
    const path = join(folder, "in");
    for (const [tasks, again] of [
      [4, false],
      [5, true],
    ] as const) {
      const branches = Array.from({ length: tasks }, (_, at) =>
        createBranch({ rollout_id: `r${at}`, task: `${phrase} ${at}` }),
      );
      const block = process(toLines(branches));
      writeFileSync(path, toLines([createBranch({ rollout_id: "first" }), ...branches]));
      const own = new LineReader(new Map([[0, { file: "a", path }]]));
      await receiver.restart();
      await receiver.built(block.serialized, own);
      expect(receiver.counts.contaminated.rollouts).toBe(tasks);
      expect(receiver.settle()).toBe(again);
      if (again) {
        await receiver.restart();
        await receiver.built(block.serialized, own);
        expect(receiver.counts).toMatchObject({ rollouts: tasks, contaminated: { rollouts: 0 } });
        expect(receiver.contamination).toMatchObject({ rollouts: 0, onlyBoilerplate: tasks });
        expect(receiver.settle()).toBe(false);
      }
      own.close();
    }
    expect(await written()).toEqual(["r0", "r1", "r2", "r3", "r4"]);
  });
});
