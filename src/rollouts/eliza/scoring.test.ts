import { expect, test } from "vitest";
import type { Scorer } from "./options.js";
import type { Outcome } from "./outcome.js";
import { createScoreOutcome } from "./scoring.js";

const outcome: Outcome = {
  task: "2+2?",
  answer: "four",
  verdict: "pass",
  threw: false,
  events: [],
  sessionId: "",
  context: {},
};

function createScene(scorer: unknown, timeoutMs?: number) {
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const logger = { info: log, warn: log, error: log };
  return { logged, score: createScoreOutcome(scorer as Scorer, logger, timeoutMs) };
}

test("the score is what the scorer returns, synchronously if it does", async () => {
  expect(
    createScene((answer: string, task: string) => answer.length / task.length).score(outcome),
  ).toBe(1);
  const { score } = createScene(async () => 0.5);
  expect(score(outcome)).toBeInstanceOf(Promise);
  expect(await score(outcome)).toBe(0.5);
  expect(createScene(null).score(outcome)).toBe(null);
});

test.each<[string, () => unknown, RegExp]>([
  [
    "throws",
    () => {
      throw new Error("no judge");
    },
    /failed \(no judge\)/,
  ],
  ["rejects", () => Promise.reject(new Error("no judge")), /failed \(no judge\)/],
  ["gives NaN", () => Number.NaN, /gave NaN/],
  ["gives Infinity, later", async () => Number.POSITIVE_INFINITY, /gave Infinity/],
  ["gives text", () => "0.8", /gave string/],
  ["gives nothing", () => undefined, /gave undefined/],
  ["never ends", () => new Promise(() => {}), /no score within 5 ms/],
])("a scorer that %s gives no score, with one message", async (_, scorer, said) => {
  const { score, logged } = createScene(scorer, 5);
  expect(await score(outcome)).toBe(null);
  expect(await score(outcome)).toBe(null);
  expect(logged).toEqual([expect.stringMatching(said)]);
});

test("a failure after a success is logged again", async () => {
  const scores = [Number.NaN, 0.5, Number.NaN];
  const { score, logged } = createScene(() => scores.shift());
  expect([score(outcome), score(outcome), score(outcome)]).toEqual([null, 0.5, null]);
  expect(logged).toHaveLength(2);
});

test("a score out of range is kept, with one warning", () => {
  const { score, logged } = createScene(() => 1.5);
  expect([score(outcome), score(outcome)]).toEqual([1.5, 1.5]);
  expect(logged).toEqual([
    "the scorer gave 1.5, but a score is from 0 to 1: branches are written without such a score",
  ]);
});
