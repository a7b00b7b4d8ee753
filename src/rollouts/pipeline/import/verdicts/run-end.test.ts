import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../base/json/value.js";
import { rows } from "../forms/rows.js";
import { Supplements } from "../supplements.js";
import { readRows } from "../testing/read-row.js";
import { findRunEnd } from "./run-end.js";

const kindOf = (row: JsonObject, turn?: string): string => findRunEnd(row, turn).end?.kind ?? "own";

describe("how a run ended", () => {
  test.each<[JsonObject, string]>([
    [{ error: { error: "ModelError", error_chain_repr: "APITimeoutError" } }, "fault"],
    [{ error: "sandbox is gone" }, "fault"],
    [{ errors: [{ type: "SandboxError" }] }, "fault"],
    [{ exception_info: { exception_type: "EnvironmentStartTimeoutError" } }, "fault"],
    [{ exception_info: { exception_type: "AgentTimeoutError" } }, "cut"],
    [{ error: { error: "OverlongPromptError" } }, "cut"],
    [{ error: "RuntimeError: Agent reached maximum iteration in headless mode." }, "cut"],
    [{ error: "RuntimeError: Agent reached maximum budget for conversation." }, "cut"],
    [{ error: null, errors: [], exception: "", has_error: false }, "own"],
    [{ is_truncated: true }, "cut"],
    [{ is_truncated: false }, "own"],
    [{ aborted: true }, "fault"],
    [{ stop_condition: "max_turns_reached" }, "cut"],
    [{ stop_condition: "error", is_truncated: true }, "fault"],
    [{ stop_condition: "no_tools_called" }, "own"],
    [{ stop_condition: "of my own" }, "own"],
    [{ exit_status: "submitted" }, "own"],
    [{ exit_status: "submitted (exit_cost)" }, "cut"],
    [{ info: { exit_status: "exit_api" } }, "fault"],
    [{ exit_status: "LimitsExceeded" }, "cut"],
    [{ limit: { type: "token", limit: 1000 } }, "cut"],
    [{ termination_reason: "max_steps" }, "cut"],
    [{ termination_reason: "too_many_errors" }, "own"],
    [{ finish_reason: "length" }, "cut"],
    [{ status: "cancelled" }, "fault"],
  ])("%j: %s", (row, kind) => {
    expect(kindOf(row)).toBe(kind);
  });

  test("the last turn says it, too", () => {
    const messages = [{ finish_reason: "length" }, { stop_reason: "max_tokens" }];
    expect(["/messages/0", "/messages/1"].map((turn) => kindOf({ messages }, turn))).toEqual([
      "cut",
      "cut",
    ]);
    expect(kindOf({ messages })).toBe("own");
  });

  test.each<[unknown, string]>([
    ["tool_call", "own"],
    ["tool-calls", "own"],
    ["content-filter", "fault"],
    ["STOP", "own"],
    ["MAX_TOKENS", "cut"],
    ["SAFETY", "fault"],
    ["OTHER", "fault"],
    ["MALFORMED_FUNCTION_CALL", "own"],
    [1, "own"],
    [2, "cut"],
    [3, "fault"],
    [8, "fault"],
  ])("the finish reason %j of a turn: %s", (reason, kind) => {
    const row = { messages: [{ finish_reason: reason }] };
    expect(kindOf(row, "/messages/0")).toBe(kind);
    expect(findRunEnd(row, "/messages/0").read).toEqual(["/messages/0/finish_reason"]);
  });

  test("a number that Google's services read differently, and a number of another field, say nothing", () => {
    const messages = [{ finish_reason: 9 }, { finish_reason: 10 }];
    for (const turn of ["/messages/0", "/messages/1"]) {
      expect(findRunEnd({ messages, finish_reason: 2, status: 2 }, turn)).toEqual({
        end: undefined,
        read: [],
      });
    }
  });

  test("a field whose value is known is read; of others, nothing is known", () => {
    expect(
      findRunEnd({ exit_status: "submit", stop_condition: "x", error: null }, undefined),
    ).toEqual({ end: undefined, read: ["/exit_status"] });
  });
});

describe("the verdict", () => {
  const MESSAGES = [
    { role: "user", content: "17 + 25?" },
    { role: "assistant", content: "42" },
  ];

  /** The verdict, and the warnings. */
  function judge(
    row: JsonObject,
    { keepErrored = false, passValue = undefined as string | undefined } = {},
  ) {
    const rewards = { objective: undefined, score: undefined, passValue };
    const map = "messages=/messages,reward=/reward";
    const [read] = readRows(rows, [{ messages: MESSAGES, ...row }], {
      texts: { map },
      settings: { rewards },
    });
    if (read?.kind !== "branch") throw new Error(JSON.stringify(read));
    const found = new Supplements({ keepErrored, assumePassed: true }).apply(read);
    if (found.kind !== "branch") throw new Error(JSON.stringify(found));
    const { objective_status: status, judge_score: judged } = found.branch;
    return [status, judged, ...found.warnings.map(({ id, pointer }) => `${id} ${pointer}`)];
  }

  test("is unknown after a fault, whatever the reward", () => {
    const fault = { error: "ModelError" };
    for (const reward of [0, 1, true, false]) {
      expect(judge({ reward, ...fault })).toEqual(["unknown", undefined, "errored-run /error"]);
    }
  });

  test("stands if the run was cut: pass, or what says fail; a low number does not", () => {
    const cut = { is_truncated: true };
    expect(judge({ reward: 1, ...cut })).toEqual(["pass", 10]);
    expect(judge({ reward: false, ...cut })).toEqual(["fail", 0]);
    expect(judge({ reward: "I", ...cut }, { passValue: "C" })).toEqual(["fail", 0]);
    const unknown = ["unknown", undefined, "truncated-run /is_truncated"];
    expect(judge({ reward: 0, ...cut })).toEqual(unknown);
  });

  test("stands always with --keep-errored", () => {
    expect(judge({ reward: 0, error: "ModelError" }, { keepErrored: true })).toEqual(["fail", 0]);
    expect(judge({ reward: 0, is_truncated: true }, { keepErrored: true })).toEqual(["fail", 0]);
  });
});
