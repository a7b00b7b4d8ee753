import { describe, expect, test } from "vitest";
import type { EntryTypeName } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { isTargetId, targets } from "../wire/export/targets/index.js";
import { resolveExportOptions } from "../wire/export/targets/target.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { rankScored } from "../wire/scoring/rank.js";
import { DEFAULT_WEIGHTS } from "../wire/scoring/score.js";
import { createCaptured } from "../wire/scoring/testing/create-captured.js";
import type { BuilderPlan } from "./builder.js";
import { createBuilder, createRankBuilder } from "./create-builder.js";
import { createExportBuilder, EXPORTED_FIELDS } from "./export-builder.js";
import { RolloutSerializer } from "./serializer.js";
import { exportPlan } from "./testing/export-plan.js";

describe("createBuilder", () => {
  const plans: BuilderPlan[] = [
    { id: "export", target: "training", options: resolveExportOptions() },
    { id: "rank", weights: DEFAULT_WEIGHTS },
  ];

  test("creates the builder of each plan, even if the plan was sent to another thread", async () => {
    const builders = await Promise.all(plans.map((plan) => createBuilder(structuredClone(plan))));
    expect(builders.map(({ outputs }) => outputs)).toEqual([["dpo", "ppo"], ["ranked"]]);
  });
});

describe("export builder", () => {
  const options = resolveExportOptions({ exportedAtMs: 0 });
  const builder = createExportBuilder({ target: "wire", options });

  function parse(text: string): JsonObject {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) throw new TypeError("not an object");
    return value;
  }

  test("refuses more pairs of a rollout than fit in memory, unless their number is limited", () => {
    const branches = Array.from({ length: 448 }, (_, index) =>
      createBranch({ branch_index: index, rank: index + 1 }),
    );
    const find = (given: Partial<typeof options>, count = branches.length) =>
      createExportBuilder({ target: "trl", options: { ...options, ...given } })
        .checkRollout(branches.slice(0, count))
        .map(({ id, message }) => `${id}: ${message}`);
    expect(find({ pairing: "all" })).toEqual([
      "pair-count: its rollout has 448 branches, which are 100128 pairs: limit them with --max-pairs-per-rollout",
    ]);
    expect(find({ pairing: "all" }, 447)).toEqual([]);
    expect(find({ pairing: "all", maxPairs: 5 })).toEqual([]);
    expect(find({ pairing: "adjacent" })).toEqual([]);
  });

  test("reads ranked branches only", () => {
    expect(builder.type).toBe("RolloutBranchRecord");
    const read = (branch: object, validFor?: EntryTypeName) => {
      const text = JSON.stringify(branch);
      const record = { file: "a", line: 1, byteLength: 0, text, value: parse(text), validFor };
      return builder.read(record);
    };
    expect(read(createBranch())).toEqual(createBranch());
    expect(read({ ...createBranch(), rank: 0 })).toBeUndefined();
    expect(read({ ...createBranch(), rank: 0 }, "RolloutBranch")).toBeUndefined();
    // The reader said so, and is believed.
    expect(read({ ...createBranch(), rank: 0 }, "RolloutBranchRecord")).toBeDefined();
  });

  test("builds the target's records, in the order of its outputs", () => {
    const best = createBranch();
    const worst = createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" });
    expect(builder.outputs).toEqual(["dpo", "ppo"]);
    expect(builder.build([worst, best], 0)).toEqual({
      outputs: [
        { records: [targets.wire.toDpo?.({ chosen: best, rejected: worst }, options)] },
        { records: [best, worst].map((branch) => targets.wire.toPpo?.(branch, options)) },
      ],
      pairs: [{ chosen: 0, rejected: 1, scores: [1.15, 0], divergenceTurn: undefined }],
      sameActs: 0,
      passedOver: 0,
      unrewarded: 0,
      unreadableToolEvents: 0,
      missingTools: 0,
    });
    expect(builder.build([best], 0)).toMatchObject({ outputs: [{ omitted: "single-branch" }, {}] });
  });

  const readingFields = Object.keys(targets)
    .filter(isTargetId)
    .filter((id) => targets[id].readsOrigin !== true);

  test("only the targets that say so read whole branches", () => {
    expect(Object.keys(targets).length - readingFields.length).toBe(1);
  });

  test.each(readingFields)("reads no other fields than its reader parses: %s", (target) => {
    const watching = createExportBuilder({ target, options });
    const read = new Set<string>();
    const watched = [
      createBranch(),
      createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" }),
    ].map(
      (branch) =>
        new Proxy(branch, {
          get(target, key, receiver) {
            read.add(String(key));
            return Reflect.get(target, key, receiver);
          },
        }),
    );
    const serializer = new RolloutSerializer(watching, exportPlan);
    serializer.add(
      watched.map((branch, line) => ({
        branch,
        record: { file: "a", line, byteLength: 0, text: "", value: {} },
        position: { hash: 0, input: 0, offset: 0, length: 0, line, checksum: 0 },
        stored: Buffer.alloc(0),
      })),
    );
    const [rollout] = serializer.take().rollouts;
    expect(Math.max(...(rollout?.build?.records ?? []))).toBeGreaterThan(0);
    const known = new Set<string>([...EXPORTED_FIELDS, "tool_call_sequence"]);
    const others = [...read].filter((key) => !known.has(key));
    // The fast path is not taken for a branch that has one of these.
    expect(others.filter((key) => key in createBranch())).toEqual([]);
  });

  test("has no checks beyond the rollout rules", () => {
    expect(builder.checkRollout([createBranch(), createBranch()])).toEqual([]);
  });
});

describe("rank builder", () => {
  const builder = createRankBuilder({ weights: DEFAULT_WEIGHTS });
  const branches = [0, 1].map((branch_index) =>
    createCaptured({ branch_index, objective_score: branch_index }),
  );

  test("ranks captured branches: one output, best first", () => {
    expect([builder.type, builder.outputs]).toEqual(["RolloutBranch", ["ranked"]]);
    const records = rankScored(branches, { weights: DEFAULT_WEIGHTS });
    expect(builder.build(branches, 0)).toEqual({
      outputs: [{ records }],
      unreadableToolEvents: 0,
      missingTools: 0,
    });
    expect(records.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  test("a branch that cannot be scored", () => {
    const unscored = createCaptured({ branch_index: 2, objective_score: "yes" });
    expect(builder.checkRollout([...branches, unscored])).toMatchObject([
      { branch: 2, severity: "error", id: "objective-score-range", pointer: "/objective_score" },
    ]);
  });
});
