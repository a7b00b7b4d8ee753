import { describe, expect, test } from "vitest";
import type { Message, RolloutBranch } from "#generated/index.js";
import { createBranch } from "../export/testing/create-branch.js";
import { createEvent } from "../export/testing/create-event.js";
import { BranchConversation, toMessages } from "./conversation.js";

const branch = createBranch({
  tool_call_sequence: [{ tool_name: "add", args: { a: 2 }, result: 4 }, { note: "?" }].map(
    createEvent,
  ),
});

test("the task comes first, the final answer last", () => {
  const conversation = new BranchConversation(branch);
  expect(conversation.messages).toEqual(toMessages(branch));
  expect(conversation.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  expect([conversation.taskIndex, conversation.answerIndex]).toEqual([0, 3]);
});

describe("a branch that recorded what the model saw", () => {
  const call = (args: object | string) => ({
    id: "c",
    type: "function" as const,
    function: { name: "add", arguments: args as { [name: string]: unknown } | string },
  });
  const thought = { role: "assistant" as const, content: "Let me see.", reasoning_content: "Hm." };
  const recorded = createBranch({
    ...branch,
    context: {
      messages: [{ role: "system", content: "Add." }],
      tools: [{ type: "function", function: { name: "add", parameters: {} } }],
    },
    turns: [
      { ...thought, tool_calls: [call('{"a": 2}')] },
      { role: "tool", content: "4", tool_call_id: "c" },
      { role: "assistant", content: "four" },
      { role: "user", content: "Thanks." },
    ],
  });

  test("its context, its task and its turns are the conversation", () => {
    const conversation = new BranchConversation(recorded);
    expect(conversation.messages.map(({ content }) => content)).toEqual([
      "Add.",
      "What is 2+2?",
      "Let me see.",
      "4",
      "four",
      "Thanks.",
    ]);
    expect([conversation.taskIndex, conversation.answerIndex]).toEqual([1, 4]);
    expect(conversation.tools).toEqual(recorded.context?.tools);
    expect(conversation.unreadableEvents).toEqual([]);
  });

  test("text that is followed by calls is no final answer", () => {
    const turns = [
      { role: "assistant" as const, content: "Let me look." },
      { role: "assistant" as const, content: "", tool_calls: [call({})] },
      { role: "tool" as const, content: "", tool_call_id: "c" },
    ];
    expect(new BranchConversation(createBranch({ turns })).answerIndex).toBeUndefined();
  });

  test("arguments are objects where possible, and reasoning can be left out", () => {
    expect(new BranchConversation(recorded).messages[2]).toEqual({
      ...thought,
      tool_calls: [call({ a: 2 })],
    });
    const { messages } = new BranchConversation(recorded, { reasoning: false });
    expect(messages.some((message) => "reasoning_content" in message)).toBe(false);
  });

  test("without an answer there is no answer index, and without tools no tools", () => {
    const silent = createBranch({ turns: [{ role: "user", content: "Hello?" }] });
    const conversation = new BranchConversation(silent);
    expect([conversation.answerIndex, conversation.tools]).toEqual([undefined, undefined]);
    const none = new BranchConversation(createBranch({ context: { tools: [] } }));
    expect(none.tools).toBeUndefined();
  });
});

describe("a task that is not a user's", () => {
  const hello = { role: "user" as const, content: "Hello." };
  const answer = { role: "assistant" as const, content: "four" };
  const begun = (turns?: Message[], task_role: RolloutBranch["task_role"] = "system") =>
    new BranchConversation(createBranch({ task: "Add.", task_role, ...(turns && { turns }) }));

  test("is said by its speaker, before turns and before tool events", () => {
    for (const role of ["system", "developer", "assistant"] as const) {
      expect(begun([hello, answer], role).messages).toEqual([
        { role, content: "Add." },
        hello,
        answer,
      ]);
      expect(begun(undefined, role).messages).toEqual([{ role, content: "Add." }, answer]);
    }
    expect(begun([hello, answer], "user").messages[0]).toEqual({ role: "user", content: "Add." });
  });

  test("of the agent is neither its turn nor its answer", () => {
    const greeted = begun([hello], "assistant");
    expect([greeted.answerIndex, greeted.endIndex, greeted.taskIndex]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });

  test.each<[number, ...Message["role"][]]>([
    [1, "assistant", "user", "assistant"],
    [2, "user", "assistant", "user", "assistant"],
    [3, "system", "user", "assistant"],
    [2, "user", "system", "assistant"],
    [1, "system", "assistant"],
    [1, "user"],
  ])("the model begins after message %j if %s comes after the task", (end, ...roles) => {
    const turns = roles.map((role): Message => ({ role, content: "x" }));
    expect(begun(turns).promptEnd).toBe(end);
  });
});

test("the calls are those in its messages", () => {
  expect(new BranchConversation(branch).calls).toEqual([{ name: "add", arguments: { a: 2 } }]);
});

test("an event that is neither a call nor a result is in no turn", () => {
  const { eventTurns, unreadableEvents } = new BranchConversation(branch);
  expect(eventTurns.length).toBe(1);
  expect(unreadableEvents).toEqual([1]);
});

test("each part is computed once", () => {
  const conversation = new BranchConversation(branch);
  expect(conversation.messages).toBe(conversation.messages);
  expect(conversation.eventTurns).toBe(conversation.eventTurns);
  expect(toMessages(branch)).not.toBe(toMessages(branch));
});
