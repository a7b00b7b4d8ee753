import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../../base/json/print.js";
import { runCount } from "../../../base/testing/run-count.js";
import { PAIR_FORMS } from "../../wire/export/comparison.js";
import { PAIRINGS } from "../../wire/export/selection.js";
import { isTargetId, targets } from "../../wire/export/targets/index.js";
import { rolloutArbitrary } from "../../wire/export/testing/rollout-arbitrary.js";
import { profiles } from "../../wire/validation/profiles.js";
import { exportFiles } from "./export.js";
import { toReport } from "./report.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-sums-"));
  // A word that some system messages consist of.
  writeFileSync(join(cwd, "eval.txt"), "s\n");
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** Rollouts with ids of their own, between lines that are no branch. */
const corpusArbitrary = fc.array(fc.record({ branches: rolloutArbitrary, damaged: fc.nat(2) }), {
  minLength: 1,
  maxLength: 6,
});

/** Rules that compare `turns` with events, which these branches lack. */
const severities = {
  ...profiles.strict,
  "turns-agree": "off",
  "undeclared-tool": "off",
} as const;

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test("every line, branch and rollout is in a record or counted under a reason, for every target and form", async () => {
  const seen = new Set<string>();
  const ids = Object.keys(targets).filter(isTargetId);
  await fc.assert(
    fc.asyncProperty(
      corpusArbitrary,
      fc.constantFrom(...ids),
      fc.constantFrom(...PAIR_FORMS),
      fc.constantFrom(...PAIRINGS),
      fc.boolean(),
      async (corpus, target, pairs, pairing, gated) => {
        const lines = corpus.flatMap(({ branches, damaged }, index) => [
          ...branches.map((branch) => ({ ...branch, rollout_id: `r-${index}` })),
          ...Array.from({ length: damaged }, () => ({ note: "no branch" })),
        ]);
        writeFileSync(join(cwd, "in.jsonl"), toJsonl(lines));
        const outcome = await exportFiles(
          {
            files: ["in.jsonl"],
            workers: 1,
            limits: { maxErrors: 10 },
            severities,
            skipInvalid: true,
          },
          {
            target,
            options: { exportedAtMs: 0, pairs, pairing },
            gate: gated ? { set: { items: "eval.txt" }, drop: true } : undefined,
          },
          {
            records: { dpo: "dpo.jsonl", ppo: "ppo.jsonl", sft: "sft.jsonl" },
            report: "report.json",
          },
          { stdin: process.stdin, cwd },
        );
        const report = toReport(outcome, []);
        const { rollouts } = report;
        expect(report.lines.read).toBe(lines.length);
        expect(report.lines.valid + report.lines.invalid).toBe(lines.length);
        expect(
          rollouts.exported_branches + rollouts.invalid_branches + rollouts.contaminated_branches,
        ).toBe(report.lines.valid);
        expect(rollouts.exported + rollouts.invalid + rollouts.contaminated).toBe(corpus.length);
        const records = new Map(outcome.outputs.map(({ kind, output }) => [kind, output.records]));
        const dpo = records.get("dpo");
        if (dpo !== undefined && pairing === "best-worst") {
          expect(dpo + sum(report.not_paired)).toBe(rollouts.exported);
        }
        if (dpo !== undefined) {
          const paired = new Set(report.pairs?.map(({ rollout_id: id }) => id));
          expect(paired.size + sum(report.not_paired)).toBe(rollouts.exported);
          expect(report.same_acts ?? 0).toBeLessThanOrEqual(pairs === "act" ? dpo : 0);
        }
        const sft = records.get("sft");
        if (sft !== undefined) expect(sft + sum(report.not_demonstrated)).toBe(rollouts.exported);
        const ppo = records.get("ppo");
        if (ppo !== undefined)
          expect(ppo + (report.unrewarded ?? 0)).toBe(rollouts.exported_branches);
        for (const reason of Object.keys({ ...report.not_paired, ...report.not_demonstrated })) {
          seen.add(reason);
        }
        if (rollouts.contaminated > 0) seen.add("contaminated");
        if ((report.passed_over ?? 0) > 0) seen.add("passed over");
      },
    ),
    { numRuns: runCount(1000, 200) },
  );
  expect([...seen]).toEqual(expect.arrayContaining(["contaminated", "passed over"]));
  expect(seen.size).toBeGreaterThan(12);
});
