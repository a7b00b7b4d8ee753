import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeRows } from "../../base/files/row-log.js";
import { MAX_NESTING } from "../../base/json/unexportable.js";
import { measureValue } from "../../base/json/value.js";
import { COLLIDING_IDS } from "../../base/testing/colliding-ids.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { hashText } from "../../base/text.js";
import { UserError } from "../../base/user-error.js";
import { resolveExportOptions } from "../wire/export/targets/target.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import {
  type BlockJob,
  type BuiltBlock,
  buildBlock,
  buildScattered,
  checkExportable,
  type ScatteredJob,
} from "./build-block.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { blockOf, toLines } from "./testing/block-of.js";
import { builderOf, exportPlan } from "./testing/export-plan.js";

describe("buildBlock", () => {
  function process(text: string | Uint8Array, job: Partial<BlockJob> = {}): BuiltBlock {
    const base = { plan: exportPlan, file: "a.jsonl", input: 0, limits: exportPlan, build: true };
    const all = { ...base, block: blockOf(text), ...job };
    return buildBlock(all, builderOf(all.plan));
  }

  function positionsOf({ positions }: BuiltBlock): LinePosition[] {
    return [...decodeRows(positions, positionCodec)];
  }

  function textOf({ head, tail }: BuiltBlock): string[][] {
    return [head, tail].map((lines) => lines.map(({ stored }) => Buffer.from(stored).toString()));
  }

  const branch = (rollout_id: string, branch_index = 0) =>
    createBranch({ rollout_id, branch_index, rank: branch_index + 1 });
  const line = (rollout_id: string, branch_index = 0) =>
    JSON.stringify(branch(rollout_id, branch_index));

  test("scores are compared with the weights of the export", () => {
    const text = toLines([branch("a")]);
    expect(process(text).tally.warningIds).toEqual([]);
    const options = resolveExportOptions({ weights: { objective: 1, judge: 0 } });
    const plan = { ...exportPlan, builder: { id: "export", target: "wire", options } } as const;
    expect(process(text, { plan }).tally.warningIds).toEqual(["score-in-range"]);
    // A tab makes the line one that is parsed completely.
    const whole = process(text.replace("{", "{\t"), { plan });
    expect(whole.tally.warningIds).toEqual(["score-in-range"]);
  });

  describe("which rollouts are built", () => {
    test("those between the first and the last, which are returned unbuilt", () => {
      const lines = [line("a"), line("b"), line("b", 1), line("c"), line("d"), line("d", 1)];
      const block = process(`${lines.join("\n")}\n`);
      expect(block.serialized.rollouts.map(({ id, branches }) => [id, branches])).toEqual([
        ["b", 2],
        ["c", 1],
      ]);
      expect(textOf(block)).toEqual([[lines[0]], lines.slice(4)]);
    });

    test("none if there is only one, and none if building is off", () => {
      const one = process(toLines([branch("a"), branch("a", 1)]));
      expect([one.head.length, one.tail.length, one.serialized.rollouts.length]).toEqual([2, 0, 0]);
      const text = toLines(["a", "b", "c"].map((id) => branch(id)));
      const none = process(text, { build: false });
      expect([none.head.length, none.tail.length, none.serialized.rollouts.length]).toEqual([
        0, 0, 0,
      ]);
      expect(positionsOf(none)).toEqual(positionsOf(process(text)));
    });

    test("the returned lines do not share the block's memory", () => {
      const block = blockOf(toLines([branch("a"), branch("b")]));
      const processed = process("", { block });
      const before = textOf(processed);
      block.bytes.fill(0);
      expect(textOf(processed)).toEqual(before);
    });

    test("two ids with the same hash stay together, so that a reappearing one is detected", () => {
      const [a, b] = COLLIDING_IDS;
      expect(hashText(a)).toBe(hashText(b));
      const ids = ["first", a, b, a, "last"];
      const { serialized } = process(toLines(ids.map((id, index) => branch(id, index))));
      expect(serialized.rollouts.map(({ id, branches }) => [id, branches])).toEqual([
        [a, 2],
        [b, 1],
      ]);
    });
  });

  describe("positions", () => {
    test("of all valid branches, as in their file", () => {
      const lines = [line("a"), "", `${line("b")}\r`, "NaN", line("é")];
      const start = { line: 7, offset: 1000 };
      const block = blockOf(lines.join("\n"), start);
      const found = positionsOf(process("", { block, input: 3 }));
      expect(found.map(({ hash, input, line }) => [hash, input, line])).toEqual([
        [hashText("a"), 3, 7],
        [hashText("b"), 3, 9],
        [hashText("é"), 3, 11],
      ]);
      const again = found.map(({ offset, length }) =>
        Buffer.from(block.bytes).toString("utf8", offset - 1000, offset - 1000 + length),
      );
      expect(again).toEqual([lines[0], lines[2], lines[4]]);
    });
  });

  describe("lines without a valid branch", () => {
    const { objective_score: _score, rank: _rank, total_score: _total, ...unranked } = branch("u");
    const text = `${line("a")}\n${JSON.stringify(unranked)}\nNaN\n`;

    test("are counted as errors and not kept", () => {
      const { tally, rejected, unranked: hints, rejects } = process(text);
      expect(tally).toMatchObject({ records: 3, found: { error: 4, warning: 0 } });
      expect([rejected, hints, rejects.length]).toEqual([2, 1, 0]);
    });

    test("are warnings and kept with skipInvalid", () => {
      const plan = { ...exportPlan, skipInvalid: true, keepRejects: true };
      const { tally, rejected, rejects } = process(text, { plan });
      expect(tally).toMatchObject({ records: 3, found: { error: 0, warning: 4 } });
      expect(rejected).toBe(2);
      const kept = Buffer.from(rejects).toString().trimEnd().split("\n");
      expect(kept.map((each) => JSON.parse(each).line)).toEqual([2, 3]);
    });

    test("are not kept without a rejects file", () => {
      const { tally, rejects } = process(text, { plan: { ...exportPlan, skipInvalid: true } });
      expect([tally.found.warning, rejects.length]).toEqual([4, 0]);
    });

    test("are errors in any case if they are too long to be a string", () => {
      const plan = { ...exportPlan, skipInvalid: true, keepRejects: true };
      const block = { line: 4, offset: 9, bytes: undefined };
      const { tally, rejected, rejects } = process("", { plan, block });
      expect(tally).toMatchObject({ records: 1, found: { error: 1, warning: 0 } });
      expect([rejected, rejects.length]).toEqual([1, 0]);
    });
  });

  test("an empty block", () => {
    const { tally, positions, head, tail, serialized } = process("");
    expect([tally.records, positions.length, head.length, tail.length]).toEqual([0, 0, 0, 0]);
    expect(serialized.rollouts).toEqual([]);
  });
});

describe("buildScattered", () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = createTestFolder();
  });
  afterEach(() => folder.remove());

  /** A job with the positions of a text's branches, in text order. */
  function jobOf(text: string): ScatteredJob {
    folder.write("in", text);
    const block = blockOf(text);
    const { positions } = buildBlock(
      { plan: exportPlan, file: "a", input: 4, block, limits: exportPlan, build: false },
      builderOf(exportPlan),
    );
    const inputs = new Map([[4, { file: "a", path: join(folder.path, "in") }]]);
    return { plan: exportPlan, inputs, positions };
  }

  const build = (job: ScatteredJob) => buildScattered(job, builderOf(exportPlan));

  const branch = (rollout_id: string, branch_index: number) =>
    createBranch({ rollout_id, branch_index, rank: branch_index + 1 });

  test("rollouts from the lines at their positions", () => {
    const all = [branch("a", 0), branch("a", 1), branch("b", 0)];
    const { rollouts, outputs } = build(jobOf(`\ufeff${toLines(all).replaceAll("\n", "\r\n")}`));
    expect(rollouts.map(({ id, branches }) => [id, branches])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(
      Buffer.from(outputs[1] ?? [])
        .toString()
        .split("\n"),
    ).toHaveLength(4);
  });

  test("two ids with the same hash are two rollouts", () => {
    const [x, y] = COLLIDING_IDS;
    const { rollouts } = build(jobOf(toLines([branch(x, 0), branch(y, 0), branch(x, 1)])));
    expect(rollouts.map(({ id, branches }) => [id, branches])).toEqual([
      [x, 2],
      [y, 1],
    ]);
  });

  test("an empty job", () => {
    expect(build({ ...jobOf(""), positions: new Float64Array() }).rollouts).toEqual([]);
  });

  test("lines that have changed meanwhile", () => {
    const job = jobOf(toLines([branch("a", 0)]));
    folder.write("in", toLines([branch("b", 0)]));
    expect(() => build(job)).toThrow(UserError);
  });
});

describe("checkExportable", () => {
  function check(branch: object) {
    return checkExportable(branch, measureValue(branch));
  }

  /** A branch with arguments nested to the given depth below the record. */
  function createNested(depth: number): object {
    const levels = depth - ["branch", "tool_call_sequence", "event", "data"].length;
    const args: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
    return createBranch({
      tool_call_sequence: [{ event: "tool_call", data: { toolName: "f", args } }],
    });
  }

  test("an exportable branch has no fault", () => {
    expect(check(createBranch())).toEqual([]);
    expect(check(createNested(MAX_NESTING))).toEqual([]);
  });

  test("a number beyond the range of a double is an error with a pointer", () => {
    expect(check(createBranch({ temperature: Number.POSITIVE_INFINITY }))).toMatchObject([
      { id: "number-range", severity: "error", pointer: "/temperature" },
    ]);
  });

  test("nesting beyond the limit of Python's reader is an error", () => {
    expect(check(createNested(MAX_NESTING + 1))).toMatchObject([
      { id: "nesting-depth", severity: "error", pointer: "/tool_call_sequence/0/data/args" },
    ]);
  });
});
