import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findErrors, isExportReport } from "#generated/index.js";
import { runCount } from "../../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../../base/testing/run-in-folder.js";
import { createBranch } from "../../wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("eval.txt", "task 3 of the set\n");
});
afterEach(() => folder.remove());

const line = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("NaN", "[]", "{}") },
  {
    weight: 9,
    arbitrary: fc
      .record({
        rollout: fc.nat(4),
        branch_index: fc.nat(3),
        final_answer: fc.constantFrom("a", "b", ""),
      })
      .map(({ rollout, ...rest }) =>
        JSON.stringify(
          createBranch({
            ...rest,
            rollout_id: `r-${rollout}`,
            task: `task ${rollout} of the set`,
            rank: rest.branch_index + 1,
            total_score: 1 - rest.branch_index / 10,
          }),
        ),
      ),
  },
);

test("every line, branch and rollout is accounted for, including omitted ones", async () => {
  const argv = ["export", "--input", "in.jsonl", "--report", "report.json"];
  const lenient = ["--skip-invalid", "--eval-items", "eval.txt", "--drop-contaminated"];
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (lines, skip) => {
        folder.write("in.jsonl", `${lines.join("\n")}\n`);
        await folder.run([...argv, ...(skip ? lenient : ["--allow-missing-g3"])]);
        const report: unknown = JSON.parse(readFileSync(join(folder.path, "report.json"), "utf8"));
        expect(findErrors("ExportReport", report)).toEqual([]);
        if (!isExportReport(report)) throw new TypeError("no report");
        const { lines: read, rollouts, outputs, not_paired, written } = report;
        expect(read.read).toBe(lines.length);
        expect(read.valid + read.invalid).toBe(read.read);
        const { exported_branches, invalid_branches, contaminated_branches } = rollouts;
        const branches = exported_branches + invalid_branches + contaminated_branches;
        // In a strict export, invalid lines prevent the check of rollouts.
        expect(branches).toBe(!skip && read.invalid > 0 ? 0 : read.valid);
        const unpaired = Object.values(not_paired).reduce((sum, count) => sum + count, 0);
        if (!written) {
          expect(outputs).toEqual([]);
          return;
        }
        expect(outputs.map(({ records }) => records)).toEqual([
          rollouts.exported - unpaired,
          exported_branches,
        ]);
      },
    ),
    { numRuns: runCount(60) },
  );
});

test("the same inputs and time give the same report, byte for byte", async () => {
  folder.write("in.jsonl", `${JSON.stringify(createBranch())}\n`);
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--exported-at-ms", "1"];
  const reports = [];
  for (const workers of ["1", "2"]) {
    await folder.run([...argv, "--report", "report.json", "--workers", workers]);
    reports.push(readFileSync(join(folder.path, "report.json"), "utf8"));
  }
  expect(reports[0]).toBe(reports[1]);
});
