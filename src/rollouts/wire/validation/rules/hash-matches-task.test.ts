import { describe, expect, test } from "vitest";
import { isDpoRecord, isPpoRecord } from "#generated/index.js";
import { toValue } from "../../../../../conformance/fixtures/fixture.js";
import { readFixtures } from "../../../../../conformance/fixtures/load.js";
import { isJsonObject } from "../../../../base/json/value.js";
import { packageRoot } from "../../../../base/package.js";
import { createBranch } from "../../export/testing/create-branch.js";
import { toDpoTrainingRecord, toPpoTrainingRecords } from "../../export/training-records.js";
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
    expect(found?.message).toContain("the hash of the first of 2 user messages");
    expect(hashMatchesTask.check({ ...pair }, "DpoTrainingRecord")).toEqual([]);
    expect(hashMatchesTask.check({ ...reward }, "PpoTrainingRecord")).toEqual([]);
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
