import { expect, test } from "vitest";
import { findEvalWord } from "./tinker-steps.js";

test.each([
  ["eval", "eval"],
  ["Eval", "Eval"],
  ["eval/gsm8k", "eval"],
  ["evaluation_rollout_summaries.jsonl", "evaluation"],
  ["evals_x.jsonl", "evals"],
  ["my_eval_rollout_summaries.jsonl", "eval"],
  ["iteration_1_eval.jsonl", "eval"],
  ["eval-gsm8k.jsonl", "eval"],
  ["eval_5", "eval"],
  ["eval5", "eval"],
  ["test_x_rollout_summaries.jsonl.gz", "test"],
  ["heldout.jsonl", "heldout"],
  ["held-out.jsonl", "held-out"],
  ["heldout_eval", "heldout"],
  ["train_val", "val"],
  ["dev", "dev"],
  ["validation", "validation"],
  ["tests", "tests"],
  ["testing", "testing"],
  ["evalset-2", "evalset"],
])("%j has the word %j", (name, word) => {
  expect(findEvalWord(name)).toBe(word);
});

test.each([
  "train",
  "train_rollout_summaries.jsonl",
  "latest",
  "contest-1",
  "evaluator",
  "value",
  "medieval",
  "device",
  "développement",
  "held_outside",
  "-",
  "",
])("%j has none", (name) => {
  expect(findEvalWord(name)).toBeUndefined();
});
