import { expect, type TaskMeta, test } from "vitest";
import { countAttacks } from "../src/base/testing/attacks.js";
import { tabulateAttacks } from "./attack-reporter.js";

/** Runs the body of a test that counts attacks, as Vitest does. Returns its notes, and its error if it fails. */
function runTest(body: (attacks: ReturnType<typeof countAttacks>) => void) {
  const meta: TaskMeta = {};
  const endings: (() => void)[] = [];
  const context = { task: { meta }, onTestFinished: (end: () => void) => endings.push(end) };
  let error: unknown;
  try {
    body(countAttacks(context, "damaged lines", 2));
    for (const end of endings) end();
  } catch (thrown) {
    error = thrown;
  }
  return { meta, error };
}

test("the table adds up the tests of each kind, and shows what failed", () => {
  const good = runTest((attacks) => {
    for (let n = 0; n < 1200; n += 1) attacks.attempt(() => {});
  });
  const bad = runTest((attacks) => {
    attacks.attempt(() => {
      throw new Error("broken");
    });
  });
  expect([good.error, bad.error]).toEqual([undefined, new Error("broken")]);
  const modules = [good.meta, bad.meta, {}].map((meta) => ({
    children: { allTests: () => [{ meta: () => meta }] },
  }));
  expect(tabulateAttacks(modules)).toEqual([
    "attacks        tried  survived",
    "damaged lines  1,201     1,200",
  ]);
  expect(tabulateAttacks([])).toEqual([]);
});

test("a test that tries fewer attacks than it states fails", () => {
  expect(runTest((attacks) => attacks.attempt(() => {})).error).toBeInstanceOf(Error);
});
