import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createTempFolder } from "../../base/files/temp.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { toJsonl } from "../../base/json/print.js";
import { COLLIDING_IDS } from "../../base/testing/colliding-ids.js";
import { runCount } from "../../base/testing/run-count.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { UserError } from "../../base/user-error.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { DEFAULT_WEIGHTS } from "../wire/scoring/score.js";
import { checkBlock } from "../wire/validation/check-block.js";
import { profiles } from "../wire/validation/profiles.js";
import { DEFAULT_CONTEXT } from "../wire/validation/rules/rule.js";
import { LineReader } from "./reread.js";
import { BranchLog, checkFiles } from "./validate.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
const severities = profiles.strict;

function rowsOf(text: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(text));
  const block = { line: 1, offset: 0, bytes };
  return checkBlock({
    file: "a",
    input: 0,
    block,
    type: undefined,
    severities,
    context: DEFAULT_CONTEXT,
    limits: { maxErrors: 9 },
  }).branches;
}

/** Without `canReread`, as if the text came from standard input. */
function check(text: string, file = folder.write("a", text), canReread = true) {
  const temp = createTempFolder();
  const closing: { close(): void }[] = [];
  const log = new BranchLog(severities, {
    folder: temp.path,
    closing(resource) {
      closing.push(resource);
      return resource;
    },
  });
  const findings = new FindingList({ maxErrors: 9 });
  const input = { file, path: join(folder.path, file) };
  const reader = new LineReader(new Map(canReread ? [[0, input]] : []));
  try {
    log.append(rowsOf(text));
    const { rollouts } = log.check([file], reader, findings);
    const found = findings.toReport("validate").findings;
    return { rollouts, found: found.map(({ id, line, pointer }) => `${line} ${pointer} ${id}`) };
  } finally {
    reader.close();
    for (const resource of closing) resource.close();
    temp.remove();
  }
}

const branch = (rollout_id: string, index = 0) =>
  createBranch({ rollout_id, branch_index: index, rank: index + 1 });

test("rollouts in order of their first branch, each checked once", () => {
  const text = toJsonl([branch("a"), branch("b"), branch("b"), branch("a", 1), branch("a", 1)]);
  expect(check(text)).toEqual({
    rollouts: 2,
    found: [
      "5 /branch_index branch-index-unique",
      "5 /rank rank-permutation",
      "3 /branch_index branch-index-unique",
      "3 /rank rank-permutation",
    ],
  });
});

test("two ids with the same hash are two rollouts", () => {
  const [a, b] = COLLIDING_IDS;
  const text = toJsonl([branch(a), branch(b), branch(a, 1), branch(b, 1)]);
  expect(check(text)).toEqual({ rollouts: 2, found: [] });
});

describe("rollouts that may lack a branch are not checked", () => {
  /** Rollout `id` in which a branch is missing: ranks 1 and 3. */
  const gap = (id: string) =>
    [branch(id), branch(id, 2)].map((each) => JSON.stringify(each)).join("\n");

  async function checkAll(texts: Readonly<Record<string, string>>) {
    const own = createTestFolder();
    for (const [file, text] of Object.entries(texts)) own.write(file, text);
    const request = {
      files: Object.keys(texts),
      limits: { maxErrors: 9 },
      type: undefined,
      severities,
      weights: DEFAULT_WEIGHTS,
      workers: 1,
    };
    const source = { cwd: own.path, stdin: Readable.from([]) };
    const { findings, rollouts, skippedRollouts } = await checkFiles(request, source);
    own.remove();
    const found = findings.toReport("validate").findings;
    const ofRollouts = found.filter(({ id }) => id === "rank-permutation");
    return {
      rollouts,
      skippedRollouts,
      found: ofRollouts.map(({ file, line }) => `${file}:${line}`),
    };
  }

  test.each([
    ["an invalid branch", JSON.stringify({ ...branch("a", 1), rank: -1 })],
    ["a value that is not JSON", JSON.stringify(branch("a", 1)).replace('"rank":2', '"rank":NaN')],
    ["a line that was cut off", JSON.stringify(branch("a", 1)).slice(0, -9)],
    ["two records in a line", `${JSON.stringify(branch("c"))}${JSON.stringify(branch("a", 1))}`],
  ])("%s spares the rollout that it names", async (_name, line) => {
    expect(await checkAll({ one: `${gap("a")}\n${gap("b")}\n${line}\n` })).toMatchObject({
      rollouts: 1,
      skippedRollouts: 1,
      found: ["one:4"],
    });
    expect((await checkAll({ one: `${line}\n${gap("a")}`, two: gap("b") })).found).toEqual([
      "two:2",
    ]);
  });

  test.each([
    ["no object", "[1]"],
    ["no id", '{"task":"a"}'],
    ["an id that is cut off", '{"task":"a","rollout_id":"a'],
    ["only a nested id", '{"build_result":{"rollout_id":"x"},"task":NaN}'],
  ])("%s spares the rollouts of its file, and those of several files", async (_name, line) => {
    const texts = { one: `${gap("a")}\n${line}`, two: gap("b"), three: gap("c"), four: gap("c") };
    expect(await checkAll(texts)).toEqual({ rollouts: 1, skippedRollouts: 2, found: ["two:2"] });
  });

  test("no damage to a line makes a faultless rollout faulty", async () => {
    const lines = ["a", "b", "c"].flatMap((id) =>
      [0, 1, 2].map((index) => JSON.stringify({ ...branch(id, index), note: { rollout_id: "n" } })),
    );
    const damage = fc.oneof(
      fc.record({
        kind: fc.constant("cut" as const),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant("head" as const),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant("byte" as const),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({ kind: fc.constant("glue" as const), at: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(lines, { minLength: 9 }),
        fc.nat(8),
        damage,
        async (all, which, { kind, at }) => {
          const texts = all.map((line, index) => {
            if (index !== which) return `${line}\n`;
            const offset = 1 + Math.floor(at * (line.length - 2));
            if (kind === "glue") return line;
            if (kind === "cut") return `${line.slice(0, offset)}\n`;
            if (kind === "head") return `${line.slice(offset)}\n`;
            return `${line.slice(0, offset)}\u0001${line.slice(offset + 1)}\n`;
          });
          expect((await checkAll({ one: texts.join("") })).found).toEqual([]);
        },
      ),
      { numRuns: runCount(60) },
    );
  });

  test("a faultless rollout beside an invalid line counts as skipped too", async () => {
    const whole = toJsonl([branch("a"), branch("a", 1)]);
    expect(await checkAll({ one: whole, two: "[1]" })).toMatchObject({ rollouts: 1 });
    expect(await checkAll({ one: `${whole}[1]` })).toMatchObject({
      rollouts: 0,
      skippedRollouts: 1,
    });
  });
});

test("records that are not branches form no rollouts and create no folder", () => {
  const temporary = createTestFolder();
  vi.stubEnv("TMPDIR", temporary.path);
  try {
    expect(check('{"prompt":{}}\n')).toEqual({ rollouts: 0, found: [] });
    expect(check(toJsonl([branch("a")]))).toEqual({ rollouts: 1, found: [] });
    expect(readdirSync(temporary.path)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    temporary.remove();
  }
});

test("a file that was deleted meanwhile is a UserError", () => {
  const text = toJsonl([branch("a"), branch("a")]);
  const file = folder.write("gone", text);
  rmSync(`${folder.path}/gone`);
  expect(() => check(text, file)).toThrow(UserError);
});

test("for an input that cannot be read again, a finding has its line and column 1", () => {
  const text = toJsonl([branch("a"), branch("a")]);
  expect(check(text, "-", false).found).toEqual([
    "2 /branch_index branch-index-unique",
    "2 /rank rank-permutation",
  ]);
});
