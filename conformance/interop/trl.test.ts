import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findDifference } from "./testing/find-difference.js";
import { type WrittenFile, writeTarget } from "./testing/write-target.js";

interface Extraction {
  readonly conversational: readonly boolean[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const branches = createRollouts();
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-trl-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function extract(files: readonly WrittenFile[]): Extraction[] {
  return runConsumer(
    "extract_prompts",
    files.map(({ path, features }) => ({ path, features })),
  );
}

test("TRL recognises every record as a conversation, with its prompt and answers", () => {
  const files = [
    ...writeTarget("trl", branches, folder),
    ...writeTarget("trl-sft", branches, folder),
    ...writeTarget("trl-kto", branches, folder),
  ];
  expect(files.map(({ kind }) => kind)).toEqual(["dpo", "ppo", "sft", "ppo"]);
  const extractions = extract(files);
  const checked = files.map(({ records }, index) => {
    const { conversational = [], rows = [] } = extractions[index] ?? {};
    expect(conversational.length).toBe(records.length);
    expect(conversational).not.toContain(false);
    expect(findDifference(records, rows)).toBeUndefined();
    return rows.length;
  });
  process.stderr.write(`TRL: ${checked.join(" + ")} records\n`);
  expect(Math.min(...checked)).toBeGreaterThan(10);
});

test("it misreads Layer 3 pairs: the common start of the answers becomes the prompt", () => {
  // It raises on an empty answer; this file has no rollout with a crashed branch.
  const crashed = branches.filter(({ final_answer }) => final_answer === "");
  const ids = new Set(crashed.map(({ rollout_id }) => rollout_id));
  const answered = branches.filter(({ rollout_id }) => !ids.has(rollout_id));
  const [pairs] = writeTarget("training", answered, folder);
  if (pairs === undefined) throw new Error("training wrote no pairs");
  const [{ conversational, rows } = { conversational: [], rows: [] }] = extract([pairs]);
  expect(conversational).not.toContain(true);
  expect(rows.length).toBeGreaterThan(10);
  for (const { prompt, chosen, prompt_messages, ...rest } of rows) {
    expect(prompt).not.toEqual(prompt_messages);
    expect(typeof prompt).toBe("string");
    const { rollout_id: id } = Object(rest.provenance);
    const record = pairs.records.find((each) => JSON.stringify(each).includes(JSON.stringify(id)));
    expect(record).toMatchObject({ chosen: `${prompt}${chosen}` });
  }
  // Some answers have a common start: these pairs would train on the rest of a word.
  expect(rows.some(({ prompt }) => prompt !== "")).toBe(true);
});
