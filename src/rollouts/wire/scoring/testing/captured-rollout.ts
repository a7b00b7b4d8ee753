import fc from "fast-check";
import type { Open, RolloutBranch } from "#generated/index.js";
import { createCaptured } from "./create-captured.js";

/** All the ways in which a branch can state that it passed (1) or did not (0). */
const VERDICTS: readonly (readonly [0 | 1, Partial<Open<RolloutBranch>>])[] = [
  [1, { objective_score: 1 }],
  [0, { objective_score: 0, objective_status: "fail" }],
  [1, { objective_status: "pass", build_result: null }],
  [0, { objective_status: "unknown" }],
  [1, { build_result: { status: "success" } }],
  [0, { build_result: { exitCode: 2 } }],
  [0, { build_result: { status: "running" } }],
  [0, { final_answer: "" }],
];

/** A captured branch and its expected score inputs. */
interface ExpectedBranch {
  readonly branch: Open<RolloutBranch>;
  readonly objective: 0 | 1;
  /** 5 if the branch has no judge's score. */
  readonly judge: number;
}

/** Any JSON under keys that the format does not define. */
const foreignFields = fc
  .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((fields) => Object.fromEntries(Object.entries(fields).map(([key, x]) => [`x-${key}`, x])));

/** A few fixed scores, so that ties are common, or any score. */
const judgeScore = fc.option(
  fc.oneof(fc.integer({ min: 0, max: 10 }), fc.double({ min: 0, max: 10, noNaN: true })),
  { nil: undefined },
);

/** Arbitrary scores from an earlier ranking. */
const formerRank = fc.constantFrom({}, { rank: 1, total_score: 99 }, { total_score: -1 });

/** The branches of one rollout, with distinct indices, in any order. All of them can be ranked. */
export const capturedRollout: fc.Arbitrary<ExpectedBranch[]> = fc
  .uniqueArray(fc.nat({ max: 30 }), { minLength: 1, maxLength: 8 })
  .chain((indices) => fc.tuple(...indices.map(capturedBranch)));

function capturedBranch(branch_index: number): fc.Arbitrary<ExpectedBranch> {
  return fc
    .tuple(formerRank, fc.constantFrom(...VERDICTS), judgeScore, foreignFields)
    .map(([former, [objective, verdict], judge, foreign]) => ({
      branch: {
        ...former,
        ...createCaptured({ branch_index, ...verdict }),
        ...(judge !== undefined && { judge_score: judge }),
        ...foreign,
      },
      objective,
      judge: judge ?? 5,
    }));
}
