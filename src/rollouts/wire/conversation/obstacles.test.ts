import { describe, expect, test } from "vitest";
import { createBranch } from "../export/testing/create-branch.js";
import { createEvent } from "../export/testing/create-event.js";
import { BranchConversation, toMessages } from "./conversation.js";
import { findObstacle, findTurnOrder } from "./obstacles.js";

describe("findObstacle", () => {
  const call = (callId: string) => ({ event: "tool_call", data: { toolName: "add", callId } });
  const result = (callId: string) => ({ event: "tool_result", data: { callId, output: 4 } });

  function find(...events: object[]) {
    const context = toMessages(createBranch({ tool_call_sequence: events.map(createEvent) }));
    return findObstacle({ context, learned: [] });
  }

  test("every call has its result, and every result its call", () => {
    expect(find()).toBeUndefined();
    expect(find(call("a"), result("a"), call("b"), result("b"))).toBeUndefined();
    expect(find(call("a"), call("b"), result("b"), result("a"))).toBeUndefined();
    expect(find({ tool_name: "add", args: {}, result: 4 })).toBeUndefined();
  });

  test("unanswered-call", () => {
    expect(find(call("a"))).toBe("unanswered-call");
    expect(find(call("a"), call("b"), result("b"))).toBe("unanswered-call");
  });

  test("a call at the very end that the model learns may stay open", () => {
    const open = (...events: object[]) => {
      const branch = createBranch({
        tool_call_sequence: events.map(createEvent),
        final_answer: "",
      });
      const { messages: context } = new BranchConversation(branch, { openEnd: true });
      const learned = context.filter(({ role }) => role === "assistant");
      return [findObstacle({ context, learned }), findObstacle({ context, learned: [] })];
    };
    expect(open(call("a"))).toEqual([undefined, "unanswered-call"]);
    expect(open(call("a"), result("a"), call("b"))).toEqual([undefined, "unanswered-call"]);
    // One of parallel calls has its result, so the conversation does not end in a turn of the model.
    expect(open(call("a"), call("b"), result("b"))[0]).toBe("unanswered-call");
    expect(open(call("a"), { event: "tool_call", data: { batchId: "2" } })[0]).toBe(
      "unanswered-call",
    );
  });

  test("stray-result, which takes precedence", () => {
    expect(find(result("a"))).toBe("stray-result");
    expect(find(call("a"), result("a"), result("b"))).toBe("stray-result");
    expect(find(call("a"), result("b"))).toBe("stray-result");
  });

  test("an unreadable event is not an obstacle, because no conversation contains it", () => {
    expect(find({ note: "?" })).toBeUndefined();
  });
});

test.each([
  [{}, undefined],
  ['{"a": 1}', undefined],
  [null, undefined],
  ['{"a": ', "text-arguments"],
  [[1], "text-arguments"],
])("learned arguments %j", (args, found) => {
  const events = [{}, args].map((each) => createEvent({ tool_name: "f", args: each, result: 1 }));
  const context = toMessages(createBranch({ tool_call_sequence: events }));
  expect(findObstacle({ context, learned: context })).toBe(found);
  // In a prompt, they are context.
  expect(findObstacle({ context, learned: [] })).toBeUndefined();
});

test.each([
  [[], "turn-order"],
  [["user"], undefined],
  [["user", "assistant", "tool"], undefined],
  [["user", "assistant"], "turn-order"],
  [["user", "system"], "turn-order"],
] as const)("a prompt of the roles %j", (roles, found) => {
  expect(findTurnOrder(roles.map((role) => ({ role, content: "" })))).toBe(found);
});
