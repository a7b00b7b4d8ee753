import { describe, expect, test } from "vitest";
import type { RecordLine } from "../../../base/jsonl/reader.js";
import { createBranch } from "../export/testing/create-branch.js";
import { checkRecord, checkRollout } from "./check-record.js";

describe("checkRecord", () => {
  const place = { file: "a.jsonl", line: 1, byteLength: 0, text: "" };
  const foreignEvent = { tool_name: "search", args: {} };

  function lineOf(fields: object): RecordLine {
    return { ...place, value: { ...createBranch(), ...fields } };
  }

  test("a line without a record has only that error", () => {
    const fault = { id: "json", column: 3, message: "not JSON" } as const;
    expect(checkRecord({ ...place, fault })).toEqual([
      { id: "json", severity: "error", pointer: "", message: "not JSON" },
    ]);
  });

  test("a structural error has the name of the keyword", () => {
    expect(checkRecord(lineOf({ rank: 0 }))).toEqual([
      {
        id: "minimum",
        severity: "error",
        pointer: "/rank",
        message: "must be >= 1, is 0",
        cause: "must be >= 1",
      },
    ]);
  });

  test("a semantic finding has the rule's id and severity", () => {
    expect(checkRecord(lineOf({ tool_call_sequence: [foreignEvent] }))).toEqual([
      {
        id: "tool-event-dialect",
        severity: "warning",
        pointer: "/tool_call_sequence/0",
        message: "1 of 1 tool events in another dialect: 1 flat",
        cause: "flat",
      },
    ]);
  });

  test("a rule has one cause, or names them", () => {
    const causes = (fields: object) => checkRecord(lineOf(fields)).map(({ cause }) => cause);
    expect(causes({ total_score: 2 })).toEqual(causes({ total_score: -1 }));
    const called = (toolName: string) => {
      const tools = [{ type: "function", function: { name: "search", parameters: {} } }];
      const tool_call_sequence = [{ event: "tool_call", data: { toolName, args: {} } }];
      return causes({ context: { tools }, tool_call_sequence });
    };
    expect([called("find"), called("read")]).toEqual([["find"], ["read"]]);
  });

  test("semantics are checked only for structurally valid records", () => {
    const ids = checkRecord(lineOf({ rank: 0, tool_call_sequence: [foreignEvent] })).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(["minimum"]);
  });

  test("a given type is not inferred", () => {
    expect(checkRecord(lineOf({}), "RolloutBranch")).toEqual([]);
    expect(checkRecord(lineOf({}), "PpoRecord").map(({ message }) => message)).toContain(
      'lacks "prompt"',
    );
  });
});

describe("checkRollout", () => {
  test("a rollout whose branches agree", () => {
    expect(checkRollout([createBranch(), createBranch({ branch_index: 1, rank: 2 })])).toEqual([]);
  });

  test("every rule, with the branch that violates it", () => {
    const branches = [
      createBranch(),
      createBranch({ task: "another", rank: 2 }),
      createBranch({ rank: 3 }),
    ];
    const faults = checkRollout(branches).map(({ id, severity, branch, pointer }) => {
      return { id, severity, branch, pointer };
    });
    const severity = "error";
    expect(faults).toHaveLength(3);
    expect(faults).toEqual(
      expect.arrayContaining([
        { id: "one-task-per-rollout", severity, branch: 1, pointer: "/task" },
        { id: "branch-index-unique", severity, branch: 1, pointer: "/branch_index" },
        { id: "branch-index-unique", severity, branch: 2, pointer: "/branch_index" },
      ]),
    );
  });
});
