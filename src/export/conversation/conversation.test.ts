import { expect, test } from "vitest";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { BranchConversation, toMessages } from "./conversation.js";

const branch = createBranch({
  tool_call_sequence: [{ tool_name: "add", args: { a: 2 }, result: 4 }, { note: "?" }].map(
    createEvent,
  ),
});

test("the prompt consists of all messages except the final answer", () => {
  const { messages, prompt } = new BranchConversation(branch);
  expect(messages).toEqual(toMessages(branch));
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(prompt).toEqual(messages.slice(0, 3));
});

test("the calls are those in its messages", () => {
  expect(new BranchConversation(branch).calls).toEqual([{ name: "add", arguments: { a: 2 } }]);
});

test("an event that is neither a call nor a result is in no turn", () => {
  const { turns, unreadableEvents } = new BranchConversation(branch);
  expect(turns.length).toBe(1);
  expect(unreadableEvents).toEqual([1]);
});

test("each part is computed once", () => {
  const conversation = new BranchConversation(branch);
  expect(conversation.messages).toBe(conversation.messages);
  expect(conversation.turns).toBe(conversation.turns);
  expect(toMessages(branch)).not.toBe(toMessages(branch));
});
