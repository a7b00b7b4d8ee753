import {
  answer,
  gpt,
  human,
  labelled,
  noTools,
  other,
  prompt,
  TOOLS,
  user,
} from "../testing/rows.js";
import { testRows } from "../testing/test-rows.js";

testRows([
  [
    "a misspelt column",
    "trl",
    { prompt, choosen: [answer], rejected: [other] },
    ["missing-column error ", "ignored-column error /choosen"],
  ],
  [
    "a misspelt optional column",
    "trl",
    { ...noTools, tool: TOOLS },
    ["ignored-column warning /tool"],
  ],
  [
    "a misspelt prompt, without which the pair has another form",
    "trl",
    { promt: [user], chosen: [answer], rejected: [other] },
    ["ignored-column error /promt", "missing-column error "],
  ],
  ["a row for KTO", "trl", labelled, ["missing-column error "]],
  [
    "a mask of another trainer",
    "trl",
    { ...noTools, loss_mask: [1] },
    ["ignored-column warning /loss_mask"],
  ],
  ["a number instead of messages", "trl", { ...noTools, prompt: 3 }, ["column-type error /prompt"]],
  [
    "a reward as text",
    "trl",
    { prompt: [user], completion: [answer], reward: "1" },
    ["column-type error /reward"],
  ],
  [
    "a text prompt beside messages",
    "trl",
    { ...noTools, prompt: "hi" },
    ["mixed-rows error /prompt"],
  ],
  ["a label of 1", "trl-kto", { ...labelled, label: 1 }, ["column-type warning /label"]],
  ["a label as text", "trl-kto", { ...labelled, label: "true" }, ["column-type error /label"]],
  [
    "a label of 1",
    "llama-factory",
    { conversations: [human, gpt], label: 1 },
    ["column-type error /label"],
  ],
  ["a further column", "openai", { messages: [user, answer], id: 7 }, ["ignored-column error /id"]],
  [
    "a further field",
    "openai",
    {
      input: { messages: [user], seed: 1 },
      preferred_output: [answer],
      non_preferred_output: [other],
    },
    ["ignored-column error /input/seed"],
  ],
  [
    "a further field of a message",
    "openai",
    { messages: [user, { ...answer, reasoning: "x" }] },
    ["ignored-column error /messages/1/reasoning"],
  ],
  [
    "no ground truth",
    "verl",
    { data_source: "a", prompt: [user], reward_model: { style: "rule", ground_truth: null } },
    ["missing-column error /reward_model"],
  ],
  [
    "a prompt as text",
    "verl",
    { data_source: "a", prompt: "hi", reward_model: { ground_truth: "3" } },
    ["column-type error /prompt"],
  ],
  [
    "extra_info as text",
    "verl",
    { data_source: "a", prompt: [user], reward_model: { ground_truth: "3" }, extra_info: "{}" },
    ["column-type error /extra_info"],
  ],
  [
    "equal ranks",
    "nemo-rl",
    {
      context: [user],
      completions: [
        { rank: 0, completion: [answer] },
        { rank: 0, completion: [other] },
      ],
    },
    ["column-type error /completions/1/rank"],
  ],
  [
    "one completion",
    "nemo-rl",
    { context: [user], completions: [{ rank: 0, completion: [answer] }] },
    ["column-type error /completions"],
  ],
  [
    "an unknown label",
    "tinker",
    {
      comparison: { prompt_conversation: [user], completion_A: [answer], completion_B: [other] },
      label: "C",
    },
    ["column-type error /label"],
  ],
]);
