import { expect, test } from "vitest";
import type { PpoRecord } from "#generated/index.js";
import { redactSecretsInTurns } from "../capture/redact/redact-secrets.js";
import { createRecordWriter } from "./record-writer.js";

function recordOf(prompt: string, completion: string): PpoRecord {
  return {
    prompt,
    completion,
    reward: 1,
    tool_call_sequence: [],
    provenance: {
      source: "wasmagent-rollout",
      rollout_id: "r",
      branch_index: 0,
      objective_score: 1,
      exported_at_ms: 0,
      n_gram_hash: "0000000000000000",
    },
  };
}

function createScene() {
  const pushed: unknown[] = [];
  const write = createRecordWriter({
    redact: redactSecretsInTurns(),
    push: (record) => pushed.push(Reflect.get(record, "prompt")),
    counter: { addSkipped: () => {} },
    logger: console,
  });
  return {
    pushed,
    write: (prompt: string, completion = "done") =>
      write({ type: "PpoRecord", record: recordOf(prompt, completion) }),
  };
}

const LONG = "It was a dark and stormy night. ".repeat(10_000);

test("a short record is pushed at once, a long one in turns, and later ones wait", async () => {
  const { write, pushed } = createScene();
  expect(write("first")).toBeUndefined();
  const written = [write("long", LONG), write("behind")];
  expect(pushed).toEqual(["first"]);
  await Promise.all(written);
  expect(pushed).toEqual(["first", "long", "behind"]);
});

test("if a hundred records wait, a long one is redacted at once; the order is kept", async () => {
  const { write, pushed } = createScene();
  const prompts = Array.from({ length: 500 }, (_, number) => `task ${number}`);
  const written = prompts.map((prompt, number) => write(prompt, number % 50 === 0 ? LONG : "done"));
  expect(pushed.length).toBeGreaterThanOrEqual(400);
  await Promise.all(written);
  expect(pushed).toEqual(prompts);
});
