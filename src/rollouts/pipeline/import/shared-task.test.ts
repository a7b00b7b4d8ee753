import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRolloutBranch, type Message, type RolloutBranch } from "#generated/index.js";
import { resolvePointer } from "../../../base/json/pointer.js";
import { runCount } from "../../../base/testing/run-count.js";
import { toMessages } from "../../wire/conversation/conversation.js";
import { findSharedText, toFormerPointer, withSharedTask } from "./shared-task.js";

const say = (role: Message["role"], content: string): Message => ({ role, content });
const SYSTEM = say("system", "Be brief.");

/** A branch whose model was given these messages before the task. */
function branchOf(before: Message[], task: string, fields: object = {}): RolloutBranch {
  const branch = {
    ...{ rollout_id: "r", task, branch_index: 0, temperature: 1, session_id: "s" },
    ...{ tool_call_sequence: [], final_answer: "Done.", ...fields },
    ...(before.length > 0 && { context: { messages: before } }),
  };
  if (!isRolloutBranch(branch)) throw new TypeError("no branch");
  return branch;
}

const find = (...before: Message[][]) =>
  findSharedText(
    before.map((messages, index) => branchOf(messages, `task ${index}`)),
    true,
  );

describe("the shared text", () => {
  const greeting = say("assistant", "Hello!");

  test("is the first one that all branches have at its place", () => {
    expect(find([SYSTEM], [SYSTEM])).toEqual({ index: 0, role: "system" });
    expect(find([greeting], [greeting, say("user", " ")])).toEqual({ index: 0, role: "assistant" });
    const dated = (day: string) => [say("system", `It is ${day}.`), say("developer", "Add.")];
    expect(find(dated("Monday"), dated("Friday"))).toEqual({ index: 1, role: "developer" });
    expect(find([SYSTEM, say("user", "Old.")], [SYSTEM])).toEqual({ index: 0, role: "system" });
  });

  test("comes after all that a model wrote before the task, so that nothing of it becomes a turn", () => {
    expect(find([SYSTEM, greeting], [SYSTEM, greeting])).toEqual({ index: 1, role: "assistant" });
    expect(find([SYSTEM, greeting], [SYSTEM])).toBeUndefined();
  });

  test.each<[string, Message[], Message[]]>([
    ["nothing comes before the task", [], []],
    ["only one branch has a text", [SYSTEM], []],
    ["the texts differ", [SYSTEM], [say("system", "Be long.")]],
    ["the speakers differ", [SYSTEM], [say("developer", "Be brief.")]],
    ["the places differ", [SYSTEM], [say("user", "Hello?"), SYSTEM]],
    ["it is blank", [say("system", " \n")], [say("system", " \n")]],
    ["it is a result", [say("tool", "4")], [say("tool", "4")]],
    [
      "it has more than text",
      [{ ...greeting, reasoning_content: "Hm." }],
      [{ ...greeting, reasoning_content: "Hm." }],
    ],
  ])("there is none if %s", (_, one, other) => {
    expect(find(one, other)).toBeUndefined();
    expect(find(other, one)).toBeUndefined();
  });
});

test("there is none if no user speaks twice, unless users are simulated; one that does is enough", () => {
  const turns = [say("assistant", "Which?"), say("user", "Red."), say("assistant", "Done.")];
  const [one, other, talk] = [{}, {}, { turns }].map((fields) => branchOf([SYSTEM], "x", fields));
  if (!one || !other || !talk) throw new TypeError("no branch");
  expect(findSharedText([one, other])).toBeUndefined();
  expect(findSharedText([one, other], true)).toEqual({ index: 0, role: "system" });
  expect(findSharedText([one, talk])).toEqual({ index: 0, role: "system" });
});

test("no more branches are read once none is shared", () => {
  let read = 0;
  function* branches(): Generator<RolloutBranch> {
    for (; ; read += 1) yield branchOf([say("system", `${read}`)], "x");
  }
  expect(findSharedText(branches(), true)).toBeUndefined();
  expect(read).toBe(1);
});

const text = fc.string({ minLength: 1, maxLength: 5 }).filter((each) => each.trim() !== "");
const givenArbitrary = fc.array(
  fc.record({ role: fc.constantFrom("system", "developer", "user"), content: text }),
  { minLength: 1, maxLength: 4 },
);
const turnsArbitrary = fc.option(
  fc.array(fc.record({ role: fc.constantFrom("user", "assistant"), content: text }), {
    minLength: 1,
  }),
  { nil: undefined },
);

test("a branch with its task moved is the same conversation, and pointers lead back to the same texts", () => {
  let moved = 0;
  fc.assert(
    fc.property(givenArbitrary, turnsArbitrary, text, fc.nat(3), (before, turns, task, index) => {
      fc.pre(index < before.length);
      const event = { event: "tool_call", data: { toolName: "f", callId: "c", args: {} } };
      const branch = branchOf(before, task, turns ? { turns } : { tool_call_sequence: [event] });
      const role = before[index]?.role ?? "user";
      const shared = withSharedTask(branch, { index, role });
      expect(isRolloutBranch(shared)).toBe(true);
      expect(toMessages(shared)).toEqual(toMessages(branch));
      expect(shared.task_role).toBe(role === "user" ? undefined : role);
      const places = ["/task", ...(shared.turns ?? []).map((_, at) => `/turns/${at}/content`)];
      for (const place of [
        ...places,
        ...before.slice(0, index).map((_, at) => `/context/messages/${at}/content`),
      ]) {
        const former = toFormerPointer(place, { index }, branch);
        // Turns that the events express have no place in the branch.
        const isDerived = turns === undefined && former.startsWith("/turns");
        if (!isDerived) expect(resolvePointer(branch, former)).toBe(resolvePointer(shared, place));
      }
      moved += 1;
    }),
    { numRuns: runCount(1000) },
  );
  expect(moved).toBeGreaterThan(50);
});

test("other pointers stay, and so do tools and unknown fields", () => {
  const tools = [{ type: "function" as const, function: { name: "f", parameters: {} } }];
  const given = branchOf([SYSTEM], "Add.", { imported_from: { source: "x" } });
  const branch = { ...given, context: { ...given.context, tools } };
  expect(withSharedTask(branch, { index: 0, role: "system" })).toMatchObject({
    ...{ context: { tools }, imported_from: { source: "x" }, task: "Be brief." },
  });
  for (const pointer of ["", "/final_answer", "/context/tools/0", "/tool_call_sequence/0/data"]) {
    expect(toFormerPointer(pointer, { index: 0 }, branch)).toBe(pointer);
  }
});
