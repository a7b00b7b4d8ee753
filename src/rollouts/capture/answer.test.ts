import fc from "fast-check";
import { expect, test } from "vitest";
import { createRevokedProxy, oddObject } from "../../base/testing/odd-value.js";
import { readAnswer } from "./answer.js";

test("a string is the final answer", () => {
  expect(readAnswer("four")).toEqual({ fields: { final_answer: "four" }, faults: [] });
  expect(readAnswer("")).toEqual({ fields: { final_answer: "" }, faults: [] });
  expect(readAnswer("\ud800")).toEqual({ fields: { final_answer: "\ufffd" }, faults: [] });
});

test("an object may contain more than the answer", () => {
  const buildResult = { status: "pass", checks: [{ passed: true }] };
  const steps = [{ prompt: { text: "2+2" }, reward_data: { score: 1 } }];
  const turns = [
    { role: "assistant", content: "Which base?" },
    { role: "user", content: "Ten." },
    { role: "assistant", content: "four", reasoning_content: "2+2 is 4." },
  ];
  const answer = { finalAnswer: "four", buildResult, objectiveStatus: "pass", turns, steps };
  const { fields, faults } = readAnswer(answer);
  buildResult.status = "fail";
  turns.pop();
  steps.pop();
  expect({ fields, faults }).toStrictEqual({
    fields: {
      final_answer: "four",
      build_result: { status: "pass", checks: [{ passed: true }] },
      objective_status: "pass",
      turns: [
        { role: "assistant", content: "Which base?" },
        { role: "user", content: "Ten." },
        { role: "assistant", content: "four", reasoning_content: "2+2 is 4." },
      ],
      steps: [{ prompt: { text: "2+2" }, reward_data: { score: 1 } }],
    },
    faults: [],
  });
  expect(readAnswer({ finalAnswer: "", buildResult: null }).fields).toStrictEqual({
    final_answer: "",
    build_result: null,
  });
});

test.each<[unknown, object, string[]]>([
  [
    undefined,
    { final_answer: "" },
    ["the answer must be text or an object with finalAnswer, is undefined"],
  ],
  [42, { final_answer: "" }, ["the answer must be text or an object with finalAnswer, is 42"]],
  [{}, { final_answer: "" }, ["finalAnswer must be text, is undefined"]],
  [
    { finalAnswer: 4, buildResult: { ok: true } },
    { final_answer: "", build_result: { ok: true } },
    ["finalAnswer must be text, is 4"],
  ],
  [
    { finalAnswer: "a", buildResult: "green" },
    { final_answer: "a", objective_status: "unknown" },
    ['buildResult must be an object or null, is "green"'],
  ],
  [
    { finalAnswer: "a", buildResult: new Date(0), objectiveStatus: "fail" },
    { final_answer: "a", objective_status: "fail" },
    ["buildResult must be an object or null, is an object"],
  ],
  [
    { finalAnswer: "a", objectiveStatus: "passed" },
    { final_answer: "a", objective_status: "unknown" },
    ['objectiveStatus must be pass, fail or unknown, is "passed"'],
  ],
  [
    { finalAnswer: "a", turns: [] },
    { final_answer: "a" },
    ["turns must be a list that is not empty, is an empty array"],
  ],
  [
    { finalAnswer: "a", turns: [{ role: "assistant", content: "a" }, { role: "robot" }] },
    { final_answer: "a" },
    ["turns[1] must be a message with role and content, is an object"],
  ],
  [{ finalAnswer: "a", steps: {} }, { final_answer: "a" }, ["steps must be a list, is an object"]],
  [
    { finalAnswer: "a", steps: [{}, "b", { prompt: "c" }] },
    {
      final_answer: "a",
      steps: [{}, { extra: { invalid_step: "b" } }, { extra: { invalid_step: { prompt: "c" } } }],
    },
    ['steps[1] must be a trace step, is "b"', "steps[2] must be a trace step, is an object"],
  ],
])("an invalid answer: %j", (given, fields, faults) => {
  expect(readAnswer(given)).toStrictEqual({ fields, faults });
});

test("unreadable parts are reported", () => {
  const { fields, faults } = readAnswer(createRevokedProxy());
  expect(fields).toEqual({ final_answer: "", objective_status: "unknown" });
  expect(faults).toEqual([
    "finalAnswer must be text, cannot be read",
    "buildResult must be an object or null, cannot be read",
    "objectiveStatus must be pass, fail or unknown, cannot be read",
    "turns must be a list that is not empty, cannot be read",
    "steps must be a list, cannot be read",
  ]);
  expect(readAnswer(() => "a").faults).toEqual([
    "the answer must be text or an object with finalAnswer, is a function",
  ]);
});

test("readAnswer never throws", () => {
  const answer = oddObject("finalAnswer", "buildResult", "objectiveStatus", "turns", "steps");
  fc.assert(
    fc.property(answer, (make) => {
      expect(typeof readAnswer(make()).fields.final_answer).toBe("string");
    }),
  );
});
