import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as generated from "#generated/index.js";
import {
  type DpoRecord,
  DpoRecordSchema,
  entryTypes,
  findErrors,
  isDpoRecord,
  isRolloutBranchRecord,
  isTask,
  type Open,
  type RolloutBranch,
  type RolloutBranchRecord,
  RolloutBranchRecordSchema,
  type ToolEvent,
} from "#generated/index.js";
import * as recordValidators from "#generated/record-validators.js";
import * as records from "#generated/records.js";
import { runCount } from "../src/base/testing/run-count.js";
import { createBranch } from "../src/rollouts/wire/export/testing/create-branch.js";

test("very many faults are all found, in linear time", () => {
  const count = runCount(1_000_000, 100_000);
  const record = { tool_call_sequence: Array(count).fill(0) };
  const errors = findErrors("RolloutBranch", record).filter(({ keyword }) => keyword === "type");
  expect(errors.length).toBe(count);
  expect(errors.at(-1)).toMatchObject({ pointer: `/tool_call_sequence/${count - 1}` });
});

test("calls do not share their faults", () => {
  const first = findErrors("RolloutBranch", { tool_call_sequence: [0, 1] });
  const copy = structuredClone(first);
  findErrors("RolloutBranch", { tool_call_sequence: [2, 3, 4] });
  expect(first).toEqual(copy);
});

test("what both parts of a definition demand is one fault", () => {
  const faults = findErrors("RolloutBranchRecord", {
    ...createBranch(),
    tool_call_sequence: [7, 7],
  });
  expect(faults.map(({ pointer }) => pointer)).toEqual([
    "/tool_call_sequence/0",
    "/tool_call_sequence/1",
  ]);
  expect(findErrors("RolloutBranchRecord", [])).toMatchObject([{ pointer: "", keyword: "type" }]);
});

test("guards can be passed to array methods", () => {
  expect(["a", "", 1, "b"].filter(isTask)).toEqual(["a", "b"]);
  expect([{}, null].filter(isDpoRecord)).toEqual([]);
});

test("an unknown definition is a programming error", () => {
  // @ts-expect-error: no definition has this name
  expect(() => findErrors("Nope", {})).toThrow(TypeError);
});

describe("types", () => {
  test("a mistyped field does not compile", () => {
    const branch: RolloutBranchRecord = createBranch();
    // @ts-expect-error: no such field
    expect(branch.total_scor).toBeUndefined();
    // @ts-expect-error: no such status
    const status: Partial<RolloutBranch> = { objective_status: "pas" };
    // @ts-expect-error: no such field
    const mistyped: Partial<RolloutBranch> = { objectiv_status: "pass" };
    // @ts-expect-error: no such field, although another is that of a tool event
    const event: ToolEvent = { event: "tool_call", payload: {} };
    expect([status, mistyped, event]).toHaveLength(3);
  });

  test("an open record has unknown fields, and is a record", () => {
    const open: Open<RolloutBranch> = { ...createBranch(), judge_model: "m" };
    expectTypeOf(open.judge_model).toBeUnknown();
    expectTypeOf(open.task).toBeString();
    expectTypeOf<Open<RolloutBranch>>().toExtend<RolloutBranch>();
    expectTypeOf<RolloutBranch>().toExtend<Open<RolloutBranch>>();
    expectTypeOf<RolloutBranch>().toExtend<Record<string, unknown>>();
    // @ts-expect-error: a declared field keeps its type
    const wrong: Open<RolloutBranch> = { ...createBranch(), task: 1 };
    expect([open, wrong]).toHaveLength(2);
  });

  test("guards narrow lists of JSON objects", () => {
    const objects: Record<string, unknown>[] = [createBranch(), {}];
    expect(objects.filter(isRolloutBranchRecord).map(({ rank }) => rank)).toEqual([1]);
  });

  test("what the format leaves to others is open", () => {
    const { build_result: result } = createBranch({ build_result: { exitCode: 1 } });
    expect(result?.exitCode).toBe(1);
  });
});

describe("Standard Schema", () => {
  const { validate, ...props } = RolloutBranchRecordSchema["~standard"];

  test("each record type is one", () => {
    expect(props).toEqual({ version: 1, vendor: "rollout-wire" });
    for (const { name } of entryTypes.filter(({ tier }) => tier === "wire")) {
      expect(generated).toHaveProperty([`${name}Schema`, "~standard", "version"], 1);
    }
  });

  test("a valid record is returned as it is", async () => {
    const branch = createBranch();
    const result = await validate(branch);
    expect("value" in result && result.value).toBe(branch);
  });

  test("every fault is an issue, with the path of the value or of the missing field", async () => {
    const { task, ...rest } = createBranch();
    const invalid = { ...rest, rank: 0, tool_call_sequence: [{}, { data: { callId: 7 } }] };
    expect(await validate(invalid)).toEqual({
      issues: expect.arrayContaining([
        { path: ["task"], message: 'lacks "task"' },
        { path: ["rank"], message: "must be >= 1, is 0" },
        { path: ["tool_call_sequence", 1, "data", "callId"], message: "must be a string, is 7" },
      ]),
    });
    expect(await DpoRecordSchema["~standard"].validate("text")).toMatchObject({
      issues: [{ path: [], message: 'must be an object, is "text"' }],
    });
    expect(await validate("text")).toEqual({
      issues: [{ path: [], message: 'must be an object, is "text"' }],
    });
    expect(task).toBe("What is 2+2?");
  });

  test("the types are those of the record", () => {
    expectTypeOf<StandardSchemaV1.InferOutput<typeof DpoRecordSchema>>().toEqualTypeOf<DpoRecord>();
  });
});

test("the root has a guard for each record type of wire schemas, and /validators the rest of their validators", () => {
  const wire = entryTypes.filter(({ tier }) => tier === "wire").map(({ name }) => name);
  expect(Object.keys(records).sort()).toEqual(
    [...wire.map((name) => `is${name}`), "findErrors", "isDefinitionName"].sort(),
  );
  const others = Object.keys(recordValidators);
  expect(others).toEqual(expect.arrayContaining(wire.map((name) => `${name}Schema`)));
  const guards = others.filter((name) => name.startsWith("is"));
  expect(guards.length).toBeGreaterThan(20);
  expect(guards.filter((name) => name in records)).toEqual([]);
});
