import type { TrainerId } from "../formats/index.js";

const system = { role: "system", content: "Be brief." };
const user = { role: "user", content: "How many issues are open?" };
const result = { role: "tool", content: "3", tool_call_id: "c1" };
const answer = { role: "assistant", content: "Three." };

export const TOOLS = [
  {
    type: "function",
    function: {
      name: "count_issues",
      parameters: { type: "object", properties: { label: { type: "string" } } },
    },
  },
];

/** An assistant message with one call, whose arguments are an object, or that object as text. */
export function callMessage(args: unknown = { label: "bug" }, id = "c1"): object {
  const call = { id, type: "function", function: { name: "count_issues", arguments: args } };
  return { role: "assistant", content: "", tool_calls: [call] };
}

const prompt = [system, user, callMessage(), result];
const textCall = callMessage('{"label":"bug"}');
const conversation = [system, user, callMessage(), result, answer];
const other = { role: "assistant", content: "No idea." };
const gpt = { from: "gpt", value: "Three." };
const human = { from: "human", value: "How many issues are open?" };

/** A pair after a call, one without calls, and an answer that is labelled good. */
export const pair = { prompt, chosen: [answer], rejected: [other], tools: TOOLS };
export const noTools = { prompt: [user], chosen: [answer], rejected: [other] };
export const labelled = { prompt: [user], completion: [answer], label: true };

/** Rows without any fault, by trainer. */
export const validRows: Readonly<Record<TrainerId, readonly Readonly<Record<string, unknown>>[]>> =
  {
    trl: [
      { prompt, chosen: [answer], rejected: [other], tools: TOOLS },
      { chosen: [...prompt, answer], rejected: [...prompt, other], tools: JSON.stringify(TOOLS) },
      { prompt: "1 + 1 =", chosen: " 2", rejected: " 3" },
      { prompt: [user], completion: [callMessage()], reward: 0.5, tools: TOOLS },
    ],
    "trl-sft": [
      { messages: conversation, tools: TOOLS },
      { prompt, completion: [answer], tools: TOOLS },
      { messages: [user, callMessage()], tools: TOOLS },
      { text: "once upon a time" },
      { input_ids: [1, 2, 3], completion_mask: [0, 1, 1] },
    ],
    "trl-kto": [
      { prompt, completion: [answer], label: true, tools: TOOLS },
      { prompt: [user], completion: [{ role: "assistant", content: "" }], label: false },
      { prompt, chosen: [answer], rejected: [other], tools: TOOLS },
    ],
    openai: [
      { messages: [system, user, textCall, result, { ...answer, weight: 1 }], tools: TOOLS },
      {
        input: { messages: [user], tools: TOOLS },
        preferred_output: [answer],
        non_preferred_output: [other],
      },
    ],
    "llama-factory": [
      { conversations: [human, gpt] },
      {
        conversations: [
          human,
          { from: "function_call", value: '{"name":"count_issues","arguments":{"label":"bug"}}' },
          { from: "observation", value: "3" },
          gpt,
        ],
        system: "Be brief.",
        tools: JSON.stringify(TOOLS),
      },
      { conversations: [human], chosen: gpt, rejected: { from: "gpt", value: "No idea." } },
      { instruction: "Count.", input: "1 2 3", output: "3", history: [["Hi", "Hello"]] },
      { instruction: "Count.", input: "1 2 3", chosen: "3", rejected: "4" },
      { messages: conversation, tools: JSON.stringify(TOOLS) },
    ],
    "nemo-rl": [
      {
        context: prompt,
        completions: [
          { rank: 0, completion: [answer] },
          { rank: 1, completion: [other] },
        ],
        tools: TOOLS,
      },
      { messages: conversation, tools: TOOLS },
    ],
    tinker: [
      {
        comparison: { prompt_conversation: [user], completion_A: [answer], completion_B: [other] },
        label: "A",
      },
      { messages: [user, { ...answer, trainable: true }] },
    ],
    verl: [
      {
        data_source: "openai/gsm8k",
        prompt: [user],
        ability: "math",
        reward_model: { style: "rule", ground_truth: "3" },
        extra_info: { index: 0, split: "train" },
      },
      { messages: conversation, tools: TOOLS, enable_thinking: false },
    ],
    axolotl: [
      { messages: [user, { ...answer, train: true }] },
      { conversations: [human, gpt] },
      { messages: [user], chosen: answer, rejected: other },
      { input_ids: [1, 2], labels: [-100, 2], attention_mask: [1, 1] },
    ],
  };

export { answer, conversation, gpt, human, other, prompt, result, system, user };
