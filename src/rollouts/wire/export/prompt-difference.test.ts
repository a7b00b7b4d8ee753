import { expect, test } from "vitest";
import type { Message, RolloutBranchRecord, ToolDefinition } from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import { describePromptDifference } from "./prompt-difference.js";
import { createBranch } from "./testing/create-branch.js";

const system = (content: string): Partial<RolloutBranchRecord> => ({
  context: { messages: [{ role: "system", content }] },
});
const tools = (...names: readonly string[]): Partial<RolloutBranchRecord> => ({
  context: {
    tools: names.map(
      (name): ToolDefinition => ({
        type: "function",
        function: { name, description: `Calls ${name} now.`, parameters: {} },
      }),
    ),
  },
});
const turns = (...messages: Message[]): Partial<RolloutBranchRecord> => ({ turns: messages });
const user = (content: string): Message => ({ role: "user", content });
const answer: Message = { role: "assistant", content: "four" };

test.each<[string, Partial<RolloutBranchRecord>, Partial<RolloutBranchRecord>, string]>([
  [
    "a date",
    system("Today is 2026-11-20, a Friday. Help."),
    system("Today is 2026-11-21, a Saturday. Help."),
    '/context/messages/0 (system): "2026-11-20, a Friday." against "2026-11-21, a Saturday."',
  ],
  [
    "a word more",
    system("Be brief."),
    system("Be very brief."),
    '/context/messages/0 (system): nothing against "very"',
  ],
  [
    "a message that only one has",
    system("Be brief."),
    {},
    '/context/messages/0 (system): "system: Be brief." against "user: What is 2+2?"',
  ],
  [
    "a first message beside the task",
    turns(user("My order is late."), answer),
    turns(user("My order is lost."), answer),
    '/turns/0 (user): "late." against "lost."',
  ],
  ["tools", tools("find", "book"), tools("find", "cancel"), '/context/tools/1: "\\"book\\",'],
  ["a tool more", tools("find"), tools("find", "cancel"), "/context/tools/1: nothing against"],
])("%s", (_, one, other, expected) => {
  const [better, worse] = [one, other].map(
    (fields) => new BranchConversation(createBranch(fields)),
  );
  if (better === undefined || worse === undefined) throw new RangeError("no conversations");
  expect(describePromptDifference(better, worse).slice(0, expected.length)).toBe(expected);
});
