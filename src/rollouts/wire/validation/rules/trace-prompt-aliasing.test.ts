import { expect, test } from "vitest";
import { tracePromptAliasing } from "./trace-prompt-aliasing.js";

function check(prompt: object, policy_response: object): string[] {
  return tracePromptAliasing
    .check({ prompt, policy_response }, "RolloutTraceStep")
    .map(({ pointer }) => pointer);
}

const user = { role: "user", content: "Say yes." };
const answer = { role: "assistant", content: "Yes." };
const long = "I looked the order up, and it left the warehouse yesterday.";

test("a list of messages that ends with the response", () => {
  expect(check({ messages: [user, answer] }, answer)).toEqual(["/prompt/messages/1"]);
  expect(check({ messages: [user, answer] }, { content: "Yes." })).toEqual(["/prompt/messages/1"]);
  expect(check({ messages: [user, answer] }, { text: "Yes.", logprobs: [0] })).toEqual([
    "/prompt/messages/1",
  ]);
  const call = { tool_calls: [{ name: "find" }] };
  expect(check({ messages: [user, call] }, call)).toEqual(["/prompt/messages/1"]);
});

test("a text that ends with the response", () => {
  expect(check({ text: `Where is it? ${long}` }, { content: long })).toEqual(["/prompt/text"]);
});

test("a snapshot of the earlier messages", () => {
  expect(check({ messages: [user] }, answer)).toEqual([]);
  expect(check({ messages: [user, answer, user] }, answer)).toEqual([]);
  expect(check({ messages: [{ role: "user", content: "Yes." }] }, answer)).toEqual([]);
  expect(check({ messages: [] }, {})).toEqual([]);
  expect(check({ text: "Say yes." }, { content: "yes." })).toEqual([]);
  expect(check({ text: `${long} Is it so?` }, { content: long })).toEqual([]);
});

test("the text of an earlier turn with different calls", () => {
  const turn = (id: string) => ({ ...answer, tool_calls: [{ id }] });
  expect(check({ messages: [user, turn("a")] }, turn("b"))).toEqual([]);
  expect(check({ messages: [user, turn("a")] }, turn("a"))).toEqual(["/prompt/messages/1"]);
});

test("a step without a prompt or without a response", () => {
  expect(tracePromptAliasing.check({ prompt: { messages: [answer] } }, "RolloutTraceStep")).toEqual(
    [],
  );
  expect(tracePromptAliasing.check({ policy_response: answer }, "RolloutTraceStep")).toEqual([]);
});
