import fc from "fast-check";
import { expect, test } from "vitest";
import { isTaskHash } from "#generated/index.js";
import { taskHash } from "./task-hash.js";

// printf 'What is 2+2?' | sha256sum | head -c 16
test("the first digits of SHA-256", () => {
  expect(taskHash("What is 2+2?")).toBe("52cb6b5e4a038af1");
});

test("the hash of any task is a TaskHash of the schema", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (task) => {
      expect(isTaskHash(taskHash(task))).toBe(true);
    }),
  );
});

test("the task is hashed unchanged", () => {
  expect(taskHash("What is 2+2? ")).not.toBe(taskHash("What is 2+2?"));
  expect(taskHash("\u00e9")).not.toBe(taskHash("e\u0301"));
});

// python3 -c "import hashlib; print(hashlib.sha256('旅行の予約 ✈'.encode()).hexdigest()[:16])"
test("non-Latin text gives the same hash as in Python", () => {
  expect(taskHash("旅行の予約 ✈")).toBe("77b4ff3f538efe6e");
});

test("a lone surrogate counts as U+FFFD, a pair as itself", () => {
  expect(taskHash("a\ud83db")).toBe(taskHash("a\ufffdb"));
  expect(taskHash("\ude00\ud83d")).toBe(taskHash("\ufffd\ufffd"));
  expect(taskHash("\ud83d\ude00")).not.toBe(taskHash("\ufffd\ufffd"));
});
