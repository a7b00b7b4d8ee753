import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findErrors, isTaskHash } from "#generated/index.js";
import { taskHash, toPpoRecords } from "./flat-records.js";
import { createBranch } from "./testing/create-branch.js";

describe("toPpoRecords", () => {
  test("a branch becomes a record with its keys in the order of the schema", () => {
    const branch = createBranch({ rollout_id: "agent-123-1700000000000", total_score: 0.8 });
    const [record] = toPpoRecords([branch], { exportedAtMs: 1_700_000_000_000 });
    expect(findErrors("PpoRecord", record)).toEqual([]);
    expect(JSON.stringify(record)).toBe(
      JSON.stringify({
        prompt: "What is 2+2?",
        completion: "four",
        reward: 0.8,
        tool_call_sequence: [],
        provenance: {
          source: "wasmagent-rollout",
          rollout_id: "agent-123-1700000000000",
          branch_index: 0,
          objective_score: 1,
          exported_at_ms: 1_700_000_000_000,
          n_gram_hash: "52cb6b5e4a038af1",
        },
      }),
    );
  });

  test("one record per branch, crashed ones too, by branch_index", () => {
    const records = toPpoRecords([
      createBranch({ branch_index: 1, final_answer: "" }),
      createBranch({ branch_index: 0, rank: 2 }),
    ]);
    expect(records.map(({ completion }) => completion)).toEqual(["four", ""]);
  });

  test("refuses what is not one rollout", () => {
    expect(() => toPpoRecords([])).toThrow(TypeError);
    expect(() => toPpoRecords([createBranch(), createBranch({ rollout_id: "r-2" })])).toThrow(
      TypeError,
    );
  });
});

describe("taskHash", () => {
  // printf 'What is 2+2?' | sha256sum | head -c 16
  test("the first digits of SHA-256", () => {
    expect(taskHash("What is 2+2?")).toBe("52cb6b5e4a038af1");
  });

  test("whatever the task, it is a TaskHash of the schema", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (task) => {
        expect(isTaskHash(taskHash(task))).toBe(true);
      }),
    );
  });

  test("the task is hashed as it is", () => {
    expect(taskHash("What is 2+2? ")).not.toBe(taskHash("What is 2+2?"));
    expect(taskHash("\u00e9")).not.toBe(taskHash("e\u0301"));
  });

  // python3 -c "import hashlib; print(hashlib.sha256('旅行の予約 ✈'.encode()).hexdigest()[:16])"
  test("non-Latin text gives what Python gives", () => {
    expect(taskHash("旅行の予約 ✈")).toBe("77b4ff3f538efe6e");
  });

  test("a lone surrogate counts as U+FFFD, a pair as itself", () => {
    expect(taskHash("a\ud83db")).toBe(taskHash("a\ufffdb"));
    expect(taskHash("\ude00\ud83d")).toBe(taskHash("\ufffd\ufffd"));
    expect(taskHash("\ud83d\ude00")).not.toBe(taskHash("\ufffd\ufffd"));
  });
});
