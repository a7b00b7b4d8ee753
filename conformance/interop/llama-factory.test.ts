import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../src/base/json/print.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { toMessages } from "../../src/rollouts/wire/conversation/conversation.js";
import { toObjectMessages } from "../../src/rollouts/wire/conversation/dialects.js";
import { exportRollouts } from "../../src/rollouts/wire/export/export-rollouts.js";
import { llamaFactory } from "../../src/rollouts/wire/export/targets/llama-factory.js";
import { createBranch } from "../../src/rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../../src/rollouts/wire/export/testing/create-event.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findMissingPiece } from "./testing/find-missing-piece.js";
import { writeTarget } from "./testing/write-target.js";

interface Turn {
  readonly role: string;
  readonly content: string;
}

interface Conversion {
  /** Prompt, answers, system message and tools of each record; an empty prompt means the record was skipped. */
  readonly converted: readonly (readonly [readonly Turn[], readonly Turn[], string, string])[];
  /** The prompts as formatted by the template `qwen`. */
  readonly qwen: readonly string[];
  /** How many templates rendered all prompts. */
  readonly rendered: number;
  readonly failures: Readonly<Record<string, string>>;
}

/** Templates that reject more than one call per turn. */
const ONE_CALL = ["chatglm3", "glm4", "glm4v", "glm_ocr", "glmz1"];

/** Templates that mark calls by other tags, and therefore reject text beside a call. */
const OTHER_TAGS = ["lfm2", "lfm2_vl"];

const branches = createRollouts();
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-llama-factory-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a text must contain of the first messages of a rollout's chosen branch, in order. */
function toPieces(rolloutId: string, chosen: number | undefined, turns: number): string[] {
  const branch = branches.find(
    ({ rollout_id: id, branch_index: index }) => id === rolloutId && index === chosen,
  );
  if (branch === undefined) throw new Error(`no chosen branch of ${rolloutId}`);
  const messages = toMessages(branch).filter(({ role }) => role !== "system");
  let spoken = 0;
  const prompt = messages.slice(
    0,
    messages.findIndex(({ role }) => role === "assistant" && spoken++ === turns),
  );
  return toObjectMessages(prompt).flatMap(({ content, tool_calls: calls = [] }) => [
    content,
    ...calls.map(
      ({ function: { name } }) => `\n<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": {`,
    ),
  ]);
}

test("LLaMA-Factory reads every pair, and every template renders it with its calls", () => {
  const [pairs] = writeTarget("llama-factory", branches, folder);
  if (pairs === undefined) throw new Error("llama-factory wrote no pairs");
  const home = join(folder, "llama-factory");
  const { name, value } = llamaFactory.describeDataset({ dpo: "dpo.jsonl" });
  writeFileSync(join(home, name), JSON.stringify(value));
  const { converted, qwen, rendered, failures } = runConsumer<Conversion>("convert_llama_factory", {
    folder: home,
    name: "rollout_wire_dpo",
  });
  process.stderr.write(
    `LLaMA-Factory: ${converted.length} records, ${rendered} templates write them all\n`,
  );
  expect(converted.length).toBe(pairs.records.length);
  expect(converted.length).toBeGreaterThan(10);
  const records = exportRollouts(branches, { target: "llama-factory" }).dpo;
  expect(toJsonl(records)).toBe(toJsonl(pairs.records));
  const toTheirs = ({ role, content }: Turn): Turn => ({
    role: role === "function_call" ? "function" : role,
    content,
  });
  for (const [index, { messages, chosen, rejected, tools, provenance }] of records.entries()) {
    const [prompt, answers, system, offered] = converted[index] ?? [];
    const [first] = messages;
    const said = first?.role === "system" ? first.content : "";
    const turns = (said === "" ? messages : messages.slice(1)).map(toTheirs);
    expect([prompt, answers, system, offered]).toEqual([
      turns,
      [chosen, rejected].map(toTheirs),
      said,
      tools,
    ]);
    const { rollout_id: id, chosen_branch: branch, divergence_turn: turn = 0 } = provenance;
    expect(findMissingPiece(qwen[index] ?? "", toPieces(id, branch, turn - 1))).toBeUndefined();
  }
  expect(records.filter(({ chosen }) => chosen.role === "function_call").length).toBeGreaterThan(5);
  // docs/targets.md describes the templates that do not.
  expect(rendered).toBeGreaterThan(100);
  expect(Object.keys(failures).toSorted()).toEqual([...ONE_CALL, ...OTHER_TAGS].toSorted());
  for (const name of ONE_CALL) expect(failures[name]).toContain("parallel functions");
  for (const name of OTHER_TAGS) expect(failures[name]).toContain("Invalid JSON format");
});

test("its openai formatting skips prompts that end in a tool turn, and adds a system message", () => {
  const messages = toMessages(
    createBranch({
      tool_call_sequence: [
        createEvent({ event: "tool_call", data: { toolName: "f", args: {}, output: "1" } }),
      ],
    }),
  );
  const answer = { role: "assistant", content: "four" };
  const records = [messages.slice(0, 1), messages.slice(0, -1)].map((prompt) => ({
    messages: prompt,
    chosen: answer,
    rejected: { ...answer, content: "five" },
  }));
  const home = join(folder, "openai");
  mkdirSync(home);
  writeFileSync(join(home, "dpo.jsonl"), toJsonl(records));
  const ours = llamaFactory.describeDataset({ dpo: "dpo.jsonl" }).value;
  const theirs = { ...ours, openai: toOpenAiFormatting(ours) };
  writeFileSync(join(home, "dataset_info.json"), JSON.stringify(theirs));
  const { converted } = runConsumer<Conversion>("convert_llama_factory", {
    folder: home,
    name: "openai",
  });
  expect(converted.map(([prompt, , system]) => [prompt.length, system])).toEqual([
    [1, "detailed thinking off"],
    [0, "detailed thinking off"],
  ]);
});

/** The same entry of `dataset_info.json` with the other formatting. */
function toOpenAiFormatting(value: object): object {
  const entry: unknown = Object.values(value).at(0);
  if (!isJsonObject(entry) || !isJsonObject(entry.tags)) throw new TypeError("no entry with tags");
  return { ...entry, formatting: "openai", tags: { ...entry.tags, observation_tag: "tool" } };
}
