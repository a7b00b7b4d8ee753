import { answer, gpt, human, noTools, other, user } from "../testing/rows.js";
import { testRows } from "../testing/test-rows.js";

testRows([
  [
    "a prompt that ends in an answer",
    "trl",
    { ...noTools, prompt: [user, other] },
    ["turn-order error /prompt/1"],
  ],
  [
    "a prompt of the system only",
    "trl",
    { ...noTools, prompt: [{ role: "system", content: "x" }] },
    ["turn-order error /prompt/0"],
  ],
  [
    "a chosen user turn",
    "trl",
    { ...noTools, chosen: [user, answer] },
    ["turn-order error /chosen/0"],
  ],
  [
    "an end in a user message",
    "openai",
    { messages: [user, answer, user] },
    ["turn-order error /messages/2"],
  ],
  [
    "an observation after human",
    "llama-factory",
    { conversations: [human, { from: "observation", value: "3" }, gpt] },
    ["turn-order error /conversations/1", "stray-result error /conversations/1"],
  ],
  [
    "two human turns",
    "llama-factory",
    { conversations: [human, human, gpt] },
    ["turn-order error /conversations/1"],
  ],
  [
    "an even prompt of a pair",
    "llama-factory",
    { conversations: [human, gpt], chosen: gpt, rejected: { ...gpt, value: "4" } },
    ["turn-order error /conversations/1"],
  ],
  [
    "a prompt that ends in an answer",
    "verl",
    { data_source: "a", prompt: [user, answer], reward_model: { ground_truth: "3" } },
    ["turn-order error /prompt/1"],
  ],
]);
