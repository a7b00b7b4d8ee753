import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntryTypeName } from "#generated/index.js";
import { runCount } from "../../../../base/testing/run-count.js";
import { toMessages } from "../../conversation/conversation.js";
import { branchArbitrary } from "../../export/testing/branch-arbitrary.js";
import { createBranch } from "../../export/testing/create-branch.js";
import { turnsAgree } from "./turns-agree.js";

const event = (toolName: string, args?: unknown) => ({
  event: "tool_call",
  data: { toolName, args },
});
const says = (content: string, ...calls: readonly (readonly [string, unknown])[]) => ({
  role: "assistant",
  content,
  ...(calls.length > 0 && {
    tool_calls: calls.map(([name, args], index) => ({
      id: `c${index}`,
      type: "function",
      function: { name, arguments: args },
    })),
  }),
});
const user = (content: string) => ({ role: "user", content });

/** The faults of a branch with the task "Find it." and the answer "Found.", as `pointer: message`. */
function check(
  turns: unknown,
  events: readonly object[] = [],
  {
    type = "RolloutBranch",
    ...fields
  }: { type?: EntryTypeName; final_answer?: string; task_role?: string } = {},
): string[] {
  const branch = createBranch({ task: "Find it.", final_answer: "Found." });
  // Passed through JSON, which removes undefined fields.
  const record = JSON.parse(
    JSON.stringify({ ...branch, tool_call_sequence: events, turns, ...fields }),
  );
  return turnsAgree.check(record, type).map(({ pointer, message }) => `${pointer}: ${message}`);
}

test("a branch without turns, and other records with a field of that name", () => {
  expect(check(undefined, [event("find", {})])).toEqual([]);
  expect(check([user("Find it.")], [], { type: "DpoRecord" })).toEqual([]);
  expect(
    check([user("Find it."), says("Found.")], [], { type: "RolloutBranchRecord" }),
  ).toHaveLength(1);
});

describe("the task", () => {
  test("only the first message may not repeat it, and only as the user", () => {
    expect(check([user("Find it."), says("Found.")])).toEqual([
      "/turns/0: repeats the task: turns begin after the task",
    ]);
    expect(check([says("Find it."), user("Find it."), says("Found.")])).toEqual([]);
    expect(check([user("Find it!"), says("Found.")])).toEqual([]);
  });

  test("is repeated only by its own speaker", () => {
    const system = { task_role: "system" };
    const again = { role: "system", content: "Find it." };
    expect(check([user("Find it."), says("Found.")], [], system)).toEqual([]);
    expect(check([again, says("Found.")], [], system)).toHaveLength(1);
    expect(check([again, says("Found.")])).toEqual([]);
  });
});

describe("the final answer", () => {
  test("is the last text of the assistant, whatever others say after it", () => {
    expect(check([says("No."), says("Found."), user("Thanks."), says("")])).toEqual([]);
    expect(check([says("Found."), says("Bye.")])).toEqual([
      '/final_answer: is not the last assistant message with content, /turns/1: "Bye."',
    ]);
  });

  test("is not compared if it is empty", () => {
    expect(check([says("Wait.")], [], { final_answer: "" })).toEqual([]);
  });

  test("is missing if the assistant says nothing", () => {
    expect(check([says(""), user("Found.")])).toEqual([
      "/final_answer: is not in turns, where no assistant message has content",
    ]);
  });
});

describe("calls", () => {
  test("are equal in all dialects, and whatever the order of keys", () => {
    const events = [
      event("a", { x: 1, y: [{ p: 1, q: 2 }] }),
      { event: "tool_call", data: { name: "b", arguments: '{"x":1}' } },
      { tool_name: "c", args: {}, result: "done" },
      event("d"),
      event("e", [1, 2]),
      event("f", "now"),
    ];
    const turns = [
      says("", ["a", { y: [{ q: 2, p: 1 }], x: 1 }], ["b", { x: 1 }]),
      says("", ["c", "{}"], ["d", {}], ["e", "[1,2]"]),
      says("Found.", ["f", "now"]),
    ];
    expect(check(turns, events)).toEqual([]);
  });

  test("the conversation that the exporter builds of any branch agrees with it", () => {
    let calls = 0;
    const numRuns = runCount(5000, 100);
    fc.assert(
      fc.property(branchArbitrary, (branch) => {
        const turns = toMessages(branch).slice(1);
        const record = JSON.parse(JSON.stringify({ ...branch, turns }));
        expect(turnsAgree.check(record, "RolloutBranchRecord")).toEqual([]);
        const first = turns.findIndex(({ tool_calls: issued = [] }) => issued.length > 0);
        if (first < 0) return;
        calls += 1;
        delete record.turns[first].tool_calls;
        expect(turnsAgree.check(record, "RolloutBranchRecord")).toHaveLength(1);
      }),
      { numRuns },
    );
    expect(calls).toBeGreaterThan(numRuns / 4);
  });

  test("only the first difference is reported", () => {
    const events = [event("a", { x: 1 }), event("b", { x: 1 }), event("c", { x: 1 })];
    const turns = (first: string, x: number) => [
      says("", [first, { x: 1 }], ["b", { x }]),
      says("Found.", ["d", {}]),
    ];
    expect(check(turns("z", 2), events)).toEqual([
      '/turns/0/tool_calls/0/function/name: call 1 is "z" here and "a" in /tool_call_sequence/0',
    ]);
    expect(check(turns("a", 2), events)).toEqual([
      '/turns/0/tool_calls/1/function/arguments: call 2, "b", has other arguments in /tool_call_sequence/1',
    ]);
    expect(check(turns("a", 1), events)).toEqual([
      '/turns/1/tool_calls/0/function/name: call 3 is "d" here and "c" in /tool_call_sequence/2',
    ]);
  });

  test("a call on one side only", () => {
    const turns = [says("Found.", ["a", {}], ["b", {}])];
    expect(check(turns, [event("a", {})])).toEqual([
      '/turns/0/tool_calls/1: call 2, "b", is not in tool_call_sequence: 1 call there',
    ]);
    expect(check(turns, [event("a", {}), event("b", {}), event("c"), event("d")])).toEqual([
      '/tool_call_sequence/2: call 3, "c", is not in turns: 2 calls there',
    ]);
  });

  test("arguments nested too deeply to be printed", () => {
    const deep = JSON.parse(`${"[".repeat(1e5)}${"]".repeat(1e5)}`);
    const record = {
      ...createBranch({ final_answer: "" }),
      tool_call_sequence: [{ event: "tool_call", data: { toolName: "a", args: deep } }],
      turns: [says("", ["a", "[]"])],
    };
    expect(turnsAgree.check(record, "RolloutBranch")).toHaveLength(1);
  });
});
