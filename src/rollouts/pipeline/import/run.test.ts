import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { runCount } from "../../../base/testing/run-count.js";
import { profiles } from "../../wire/validation/profiles.js";
import { tinker } from "./forms/tinker.js";
import { importFiles } from "./run.js";
import { SETTINGS } from "./testing/read-row.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Row {
  readonly group: number;
  readonly branch: number;
  readonly task: number;
  readonly kind: "good" | "untraced" | "broken" | "nan";
}

function print({ group, branch, task, kind }: Row): string {
  if (kind === "broken") return `{"group_idx": ${group}`;
  const messages = [{ role: "user", content: `task ${task}` }];
  const response = { messages: [{ role: "assistant", content: "NaN" }] };
  const trace = { prompt: { messages }, policy_response: response };
  const row = {
    schema_version: 1,
    split: "train",
    iteration: 0,
    group_idx: group,
    traj_idx: branch,
    total_reward: 0,
    steps: kind === "untraced" ? [] : [{ trace }],
  };
  const text = JSON.stringify(row);
  return kind === "nan" ? text.replace('"total_reward":0', '"total_reward":-Infinity') : text;
}

/** The expected outcome of each row, by index: written branches and rejected rows. */
function expectedOf(rows: readonly Row[]): { written: number[]; rejected: number[] } {
  const isBranch = ({ kind }: Row): boolean => kind === "good" || kind === "nan";
  const isValidGroup = (group: number): boolean => {
    const branches = rows.filter((row) => row.group === group && isBranch(row));
    const distinct = (values: number[]): number => new Set(values).size;
    return (
      distinct(branches.map(({ branch }) => branch)) === branches.length &&
      distinct(branches.map(({ task }) => task)) <= 1
    );
  };
  const indices = rows.map((_, index) => index);
  const isWritten = (index: number): boolean => {
    const row = rows[index];
    return row !== undefined && isBranch(row) && isValidGroup(row.group);
  };
  return { written: indices.filter(isWritten), rejected: indices.filter((at) => !isWritten(at)) };
}

const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  group: fc.nat(3),
  branch: fc.nat(4),
  task: fc.constantFrom(0, 0, 0, 0, 0, 1),
  kind: fc.constantFrom("good", "good", "good", "nan", "untraced", "broken"),
});

test("every row is either written as a branch or rejected, in any order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowArbitrary, { minLength: 1, maxLength: 12 }),
      fc.nat(12),
      fc.boolean(),
      async (rows, cut, compressed) => {
        const lines = rows.map((row) => `${print(row)}\n`);
        const [first, second] = [lines.slice(0, cut).join(""), lines.slice(cut).join("")];
        writeFileSync(join(folder, "1.jsonl"), first);
        writeFileSync(join(folder, "2.jsonl"), compressed ? gzipSync(second) : second);
        const [output, rejects] = [join(folder, "out.jsonl"), join(folder, "rejects.jsonl")];
        const { written, counts, findings } = await importFiles(
          {
            files: ["1.jsonl", "2.jsonl"],
            choice: {
              named: tinker,
              createReader: (form) =>
                form.createReader(
                  SETTINGS,
                  { flag: () => false, optionalText: () => undefined },
                  [],
                ),
            },
            output: "out.jsonl",
            rejects: "rejects.jsonl",
            limits: { maxErrors: 100 },
            severities: profiles.strict,
            skipInvalid: true,
          },
          { stdin: chunksOf(), cwd: folder },
        );
        const expected = expectedOf(rows);
        expect(counts.branches).toBe(expected.written.length);
        const leftOut = [...counts.leftOut.values()].reduce((sum, count) => sum + count, 0);
        expect(counts.branches + counts.invalid + counts.invalidBranches + leftOut).toBe(
          rows.length,
        );
        expect(written).toBe(expected.written.length > 0);
        expect(findings.errors > 0).toBe(!written);
        if (!written) return;
        const read = (path: string) =>
          readFileSync(path, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line));
        expect(read(output).map((each) => [each.rollout_id, each.branch_index])).toEqual(
          expected.written.map((at) => [`train-0-${rows[at]?.group}`, rows[at]?.branch]),
        );
        const rejected = read(rejects).map(
          ({ file, line }) => line - 1 + (file === "2.jsonl" ? cut : 0),
        );
        expect(rejected.toSorted((a, b) => a - b)).toEqual(expected.rejected);
      },
    ),
    { numRuns: runCount(60) },
  );
});

async function* chunksOf(): AsyncGenerator<Uint8Array> {}
