import { expect, test } from "vitest";
import { toolEventDialect } from "../../src/rollouts/wire/validation/rules/tool-event-dialect.js";
import { checkStructure } from "../../src/rollouts/wire/validation/structure.js";
import { BRANCH_BYTES, inputKinds } from "./input-branches.js";
import { createMixedBranch, MIXED_BRANCH_BYTES } from "./mixed-branches.js";

/** The lines of an input, as in a file. */
function linesOf(id: keyof typeof inputKinds, branches: number): string[] {
  return Array.from(inputKinds[id].records(branches), (record) => JSON.stringify(record));
}

test("every input is the same in every run", () => {
  for (const kind of Object.values(inputKinds)) {
    const [first, second] = [kind.records(40), kind.records(40)].map((each) => Array.from(each));
    expect(first).not.toEqual([]);
    expect(first).toEqual(second);
  }
});

test.each([
  ["rollouts", BRANCH_BYTES],
  ["mixed", MIXED_BRANCH_BYTES],
] as const)(
  "%s: branches are valid, and have the size that the disk check assumes",
  (id, bytes) => {
    const records = Array.from(inputKinds[id].records(2000));
    const faulty = records.filter((each) => checkStructure({ ...each }).faults.length > 0);
    expect([records.length, faulty]).toEqual([2000, []]);
    const mean = Buffer.byteLength(JSON.stringify(records)) / records.length;
    expect(Math.abs(mean / bytes - 1)).toBeLessThan(0.02);
  },
);

test("the file of one branch is 1 kB", () => {
  const [line = "", ...others] = linesOf("one-branch", 40);
  expect(others).toEqual([]);
  expect(Math.abs(Buffer.byteLength(line) / 1024 - 1)).toBeLessThan(0.1);
});

test("a fifth of the mixed lines is in another dialect", () => {
  const findings = Array.from({ length: 1000 }, (_, index) =>
    toolEventDialect.check({ ...createMixedBranch(index) }, "RolloutBranchRecord"),
  );
  expect(findings.filter((found) => found.length > 0)).toHaveLength(200);
});

test("some text is beyond Latin-1, most is not", () => {
  const lines = linesOf("rollouts", 1000);
  const beyond = lines.filter((line) => /[^\p{ASCII}\u0080-\u00FF]/u.test(line)).length;
  expect(beyond).toBeGreaterThan(lines.length / 10);
  expect(beyond).toBeLessThan(lines.length / 2);
});

test("shuffled inputs have the same lines in another order", () => {
  const [ordered, shuffled] = [linesOf("rollouts", 80), linesOf("rollouts-shuffled", 80)];
  expect(shuffled).not.toEqual(ordered);
  expect(shuffled.toSorted()).toEqual(ordered.toSorted());
  expect(linesOf("rollouts-4x-shuffled", 20).toSorted()).toEqual(ordered.toSorted());
  const mixed = linesOf("mixed", 360).toSorted();
  expect(linesOf("mixed-shuffled", 360).toSorted()).toEqual(mixed);
  expect(linesOf("mixed-9x-shuffled", 40).toSorted()).toEqual(mixed);
});
