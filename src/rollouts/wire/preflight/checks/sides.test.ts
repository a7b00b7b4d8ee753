import {
  answer,
  callMessage,
  gpt,
  human,
  labelled,
  noTools,
  TOOLS,
  user,
} from "../testing/rows.js";
import { testRows } from "../testing/test-rows.js";

testRows([
  ["identical answers", "trl", { ...noTools, rejected: [answer] }, ["equal-sides error /rejected"]],
  [
    "identical but for spaces",
    "trl",
    { ...noTools, rejected: [{ ...answer, content: " Three. \n" }] },
    ["equal-sides error /rejected"],
  ],
  [
    "identical whole conversations",
    "trl",
    { chosen: [user, answer], rejected: [user, answer] },
    ["equal-sides error /rejected"],
  ],
  [
    "identical texts",
    "trl",
    { prompt: "a", chosen: "b", rejected: "b " },
    ["equal-sides error /rejected"],
  ],
  [
    "the same call in other words",
    "trl",
    {
      ...noTools,
      tools: TOOLS,
      chosen: [callMessage()],
      rejected: [{ ...callMessage(), content: "Sure." }],
    },
    ["same-call warning /rejected"],
  ],
  [
    "the same outputs",
    "openai",
    { input: { messages: [user] }, preferred_output: [answer], non_preferred_output: [answer] },
    ["equal-sides error /non_preferred_output"],
  ],
  [
    "the same alpaca answers",
    "llama-factory",
    { instruction: "a", chosen: "b", rejected: "b" },
    ["equal-sides error /rejected"],
  ],
  [
    "the same messages",
    "llama-factory",
    { conversations: [human], chosen: gpt, rejected: gpt },
    ["equal-sides error /rejected"],
  ],
  [
    "nothing chosen",
    "trl",
    { ...noTools, chosen: [{ role: "assistant", content: " " }] },
    ["empty-completion error /chosen/0"],
  ],
  [
    "a good answer of nothing",
    "trl-kto",
    { ...labelled, completion: [{ role: "assistant", content: "" }] },
    ["empty-completion error /completion/0"],
  ],
  ["an empty list", "trl", { ...noTools, chosen: [] }, ["empty-completion error /chosen"]],
  [
    "no answer at all",
    "trl-sft",
    { messages: [user] },
    ["turn-order warning /messages/0", "empty-completion error /messages"],
  ],
  [
    "an empty output",
    "llama-factory",
    { instruction: "a", output: "" },
    ["empty-completion error /output"],
  ],
]);
