import { describe, expect, test } from "vitest";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { findObstacle, findTextArguments } from "./obstacles.js";

describe("findObstacle", () => {
  const call = (callId: string) => ({ event: "tool_call", data: { toolName: "add", callId } });
  const result = (callId: string) => ({ event: "tool_result", data: { callId, output: 4 } });

  function find(...events: object[]) {
    return findObstacle(createBranch({ tool_call_sequence: events.map(createEvent) }));
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

  test("stray-result, which takes precedence", () => {
    expect(find(result("a"))).toBe("stray-result");
    expect(find(call("a"), result("a"), result("b"))).toBe("stray-result");
    expect(find(call("a"), result("b"))).toBe("stray-result");
  });

  test("an unreadable event is not an obstacle, because no conversation contains it", () => {
    expect(find({ note: "?" })).toBeUndefined();
  });
});

describe("findTextArguments", () => {
  test.each([
    [{}, undefined],
    ['{"a": 1}', undefined],
    [null, undefined],
    ['{"a": ', "text-arguments"],
    [[1], "text-arguments"],
  ])("arguments %j", (args, found) => {
    const events = [{}, args].map((each) => createEvent({ tool_name: "f", args: each, result: 1 }));
    expect(findTextArguments(createBranch({ tool_call_sequence: events }))).toBe(found);
  });
});
