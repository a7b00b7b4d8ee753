import { describe, expect, test } from "vitest";
import { isDpoRecord, isPpoRecord } from "#generated/index.js";
import { toValue } from "../../../../../conformance/fixtures/fixture.js";
import { readFixtures } from "../../../../../conformance/fixtures/load.js";
import { isJsonObject } from "../../../../base/json/value.js";
import { parseText } from "../../../../base/jsonl/record-line.js";
import { packageRoot } from "../../../../base/package.js";
import { taskHash } from "../../conversation/task-hash.js";
import { createBranch } from "../../export/testing/create-branch.js";
import { toDpoTrainingRecord, toPpoTrainingRecords } from "../../export/training-records.js";
import { checkRecord } from "../check-record.js";
import { profiles } from "../profiles.js";
import { hashMatchesTask } from "./hash-matches-task.js";

const good = createBranch();
const bad = createBranch({ branch_index: 1, final_answer: "", total_score: 0, rank: 2 });

const { fixtures } = readFixtures(packageRoot());

/** The record of a fixture, and the expected result. */
function readFixture(type: string, name: string) {
  const fixture = fixtures.find((each) => each.type === type && each.name === name);
  const record = fixture && toValue(fixture.content);
  if (!isJsonObject(record)) throw new Error(`${type}/${name} is no record`);
  return { record, expected: fixture?.expect };
}

/** The examples published by the elizaOS plugin. They share one hash, which is that of the first prompt. */
const { record: ppo } = readFixture("PpoRecord", "plugin-example");
const { record: dpo, expected } = readFixture("DpoRecord", "hash-of-another-task");

describe("Layer 2", () => {
  test("both published examples are structurally valid", () => {
    expect([isPpoRecord(ppo), isDpoRecord(dpo)]).toEqual([true, true]);
  });

  test("the hash of the prompt", () => {
    expect(hashMatchesTask.check(ppo, "PpoRecord")).toEqual([]);
  });

  test("the hash of another prompt", () => {
    expect(expected).toEqual([{ pointer: "/provenance/n_gram_hash", rule: hashMatchesTask.id }]);
    expect(hashMatchesTask.check(dpo, "DpoRecord")).toEqual([
      {
        pointer: "/provenance/n_gram_hash",
        message: "hash of a different task: is 52cb6b5e4a038af1, should be dc4044807ce05356",
      },
    ]);
  });

  const HEAD = "is the first 16 characters of the task, not of its SHA-256";

  test.each([
    ["What is 2+2?", "What is 2+2?"],
    ["What is 2+2? Explain it.", "What is 2+2? Exp"],
    // In code units of JavaScript, and in code points of Python.
    ["\u{1f600} and thirteen more, or so", "\u{1f600} and thirteen m"],
    ["\u{1f600} and thirteen more, or so", "\u{1f600} and thirteen "],
    ["deadbeefdeadbeef is hexadecimal", "deadbeefdeadbeef"],
  ])("the first characters of %j are reported as exactly that", (prompt, hash) => {
    for (const [type, record] of [
      ["PpoRecord", ppo],
      ["DpoRecord", dpo],
    ] as const) {
      const provenance = { ...Object(record.provenance), n_gram_hash: hash };
      const text = JSON.stringify({ ...record, prompt, provenance });
      const line = { file: "a", line: 1, byteLength: text.length, column: 1, ...parseText(text) };
      expect(checkRecord(line, type)).toEqual([
        expect.objectContaining({
          id: "hash-matches-task",
          severity: "error",
          pointer: "/provenance/n_gram_hash",
          message: HEAD,
        }),
      ]);
      // Without the rule, what the schema says stays: the record is no less invalid.
      const isHash = /^[0-9a-f]{16}$/.test(hash);
      const off = { ...profiles.strict, "hash-matches-task": "off" } as const;
      expect(checkRecord(line, type, off).map(({ id }) => id)).toEqual(isHash ? [] : ["pattern"]);
    }
  });

  test("any other text is what the schema says of it", () => {
    const provenance = { ...Object(ppo.provenance), n_gram_hash: "What" };
    const text = JSON.stringify({ ...ppo, provenance });
    const line = { file: "a", line: 1, byteLength: text.length, column: 1, ...parseText(text) };
    expect(checkRecord(line, "PpoRecord").map(({ id }) => id)).toEqual(["pattern"]);
  });

  test("a trailing space makes it a different task", () => {
    const record = { ...ppo, prompt: "What is 2+2? " };
    expect(hashMatchesTask.check(record, "PpoRecord").length).toBe(1);
  });
});

describe("training records", () => {
  const pair = toDpoTrainingRecord([good, bad]);
  const [reward] = toPpoTrainingRecords([good, bad]);
  const changed = { task_hash: "0000000000000000" };
  const fault = {
    pointer: "/provenance/task_hash",
    message: "hash of a different task: is 0000000000000000, should be 52cb6b5e4a038af1",
  };

  test("one of the user messages is the task", () => {
    const earlier = { role: "user", content: "Hello." };
    const later = { ...reward, messages: [earlier, ...(reward?.messages ?? [])] };
    expect(hashMatchesTask.check(later, "PpoTrainingRecord")).toEqual([]);
    const wrong = { ...later, provenance: { ...reward?.provenance, ...changed } };
    const [found] = hashMatchesTask.check(wrong, "PpoTrainingRecord");
    expect(found?.message).toContain("the hash of the first of 2 messages that may be it");
    expect(hashMatchesTask.check({ ...pair }, "DpoTrainingRecord")).toEqual([]);
    expect(hashMatchesTask.check({ ...reward }, "PpoTrainingRecord")).toEqual([]);
  });

  test("the task may be another's, if the model was given it", () => {
    const system = { role: "system", content: "Add.", loss_mask: 0 };
    const messages = [system, ...(reward?.messages ?? [])];
    const record = {
      ...reward,
      messages,
      provenance: { ...reward?.provenance, task_hash: taskHash("Add.") },
    };
    expect(hashMatchesTask.check(record, "PpoTrainingRecord")).toEqual([]);
    for (const other of [
      { ...system, loss_mask: 1 },
      { role: "system", content: "Add." },
      { ...system, role: "tool" },
    ]) {
      const wrong = { ...record, messages: [other, ...messages.slice(1)] };
      expect(hashMatchesTask.check(wrong, "PpoTrainingRecord")).toHaveLength(1);
    }
  });

  test("a hash of another task", () => {
    const wrongPair = { ...pair, provenance: { ...pair?.provenance, ...changed } };
    const wrongReward = { ...reward, provenance: { ...reward?.provenance, ...changed } };
    expect(hashMatchesTask.check(wrongPair, "DpoTrainingRecord")).toEqual([fault]);
    expect(hashMatchesTask.check(wrongReward, "PpoTrainingRecord")).toEqual([fault]);
  });

  test("another message may precede it; without a user message nothing is checked", () => {
    const other = { role: "assistant", content: "Hello." };
    const before = { ...reward, messages: [other, ...(reward?.messages ?? [])] };
    const without = { ...reward, messages: [other, other] };
    expect(hashMatchesTask.check(before, "PpoTrainingRecord")).toEqual([]);
    expect(hashMatchesTask.check(without, "PpoTrainingRecord")).toEqual([]);
  });
});

test("other types have no hash, whatever else they contain", () => {
  expect(hashMatchesTask.check({ ...good, ...dpo }, "RolloutBranchRecord")).toEqual([]);
});
