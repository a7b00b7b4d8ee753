import {
  isObjectiveScore,
  type ObjectiveScore,
  type ObjectiveStatus,
  type Open,
  type RolloutBranch,
} from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import type { ScoreFault } from "./score.js";

/** The objective verdict on a branch, or why there is none. */
type ObjectiveReading =
  | {
      readonly score: ObjectiveScore;
      /** The verdict as a word, captured or from the verifier; undefined if neither gave one. */
      readonly status: ObjectiveStatus | undefined;
      readonly fault?: never;
    }
  | { readonly fault: ScoreFault; readonly score?: never; readonly status?: never };

/** The verdict as a number: unknown counts as not passed. */
export const SCORE_OF_STATUS: Readonly<Record<ObjectiveStatus, ObjectiveScore>> = {
  pass: 1,
  fail: 0,
  unknown: 0,
};

/**
 * Reads the objective verdict on a captured branch from the first of these that is present:
 *
 * 1. `objective_score`, an open field of an unranked branch (0 or 1; null counts as absent);
 * 2. `objective_status`: pass is 1, fail and unknown are 0;
 * 3. the result of `verifier`, mapped in the same way (the verifier is called only if needed);
 * 4. 0 for a branch that crashed before it answered: its `final_answer` is empty
 *    (`rollout-wire#/$defs/RolloutBranch`).
 *
 * If none is present, the result is a fault, not 0. The result is also a fault if the branch contradicts its
 * captured verdict: score and status differ, or it captured a pass although `buildPasses` returns `fail` or
 * `unknown` for its `build_result`. A captured fail with a passed build is no contradiction, because another
 * verifier may have failed.
 */
export function readObjective(
  branch: Open<RolloutBranch>,
  verifier: ObjectiveVerifier,
): ObjectiveReading {
  const { objective_status: status } = branch;
  const captured = branch.objective_score ?? undefined;
  if (captured !== undefined && !isObjectiveScore(captured)) {
    const message = `must be 0 or 1, is ${previewValue(captured)}`;
    return { fault: { id: "objective-score-range", pointer: "/objective_score", message } };
  }
  const score = captured ?? (status ? SCORE_OF_STATUS[status] : undefined);
  if (score === undefined) return readUncaptured(branch, verifier);
  const fault = findContradiction(branch, score);
  return fault ? { fault } : { score, status };
}

function readUncaptured(
  branch: Open<RolloutBranch>,
  verifier: ObjectiveVerifier,
): ObjectiveReading {
  const status = verifier(branch);
  if (status !== undefined) return { score: SCORE_OF_STATUS[status], status };
  if (branch.final_answer === "") return { score: 0, status };
  const message = branch.build_result
    ? "build_result does not say whether the branch passed: capture objective_status"
    : "nothing says whether the branch passed: capture objective_status or build_result, or leave the branch out";
  return { fault: { id: "no-objective", pointer: "", message } };
}

function findContradiction(branch: RolloutBranch, score: ObjectiveScore): ScoreFault | undefined {
  const { objective_status: status } = branch;
  if (status !== undefined && score !== SCORE_OF_STATUS[status]) {
    const message = `is "${status}", but objective_score is ${score}`;
    return { id: "status-agrees-with-score", pointer: "/objective_status", message };
  }
  const build = buildPasses(branch);
  if (score === 0 || build === undefined || build === "pass") return undefined;
  const message = `${build === "fail" ? "failed" : "did not pass"}, but the captured verdict is a pass`;
  return { id: "build-agrees-with-score", pointer: "/build_result", message };
}

/** Words used by build and test runners, in lower case. Any other word is ignored. */
const WORDS: readonly (readonly [ObjectiveStatus, readonly string[]])[] = [
  ["pass", ["pass", "passed", "success", "succeeded", "ok"]],
  // For a build, "error" means that the compiler failed.
  ["fail", ["fail", "failed", "failure", "error", "errored"]],
  // Such a build has not finished.
  ["unknown", ["running", "in_progress", "pending", "queued", "unknown"]],
  ["unknown", ["cancelled", "canceled", "aborted", "timeout", "timed_out"]],
];

/** Reads a value as a verdict; undefined for an unknown value. */
type Reader = (value: unknown) => ObjectiveStatus | undefined;

const readWord: Reader = (value) => {
  if (typeof value !== "string") return undefined;
  return WORDS.find(([, words]) => words.includes(value.toLowerCase()))?.[0];
};

const readFlag: Reader = (value) => {
  if (typeof value !== "boolean") return undefined;
  return value ? "pass" : "fail";
};

const readExitCode: Reader = (value) => {
  if (!Number.isInteger(value)) return undefined;
  return value === 0 ? "pass" : "fail";
};

/**
 * Fields of a build result that contain a verdict. The format leaves the shape to the runtime
 * (`rollout-wire#/$defs/RolloutBranch`, `build_result`). To support a new shape, add a line here.
 */
const SHAPES: Readonly<Record<string, Reader>> = {
  status: readWord,
  ok: readFlag,
  success: readFlag,
  passed: readFlag,
  exitCode: readExitCode,
  exit_code: readExitCode,
};

/**
 * Tells from `build_result` whether the build of a branch passed: `{status: "pass"}`, `{ok: true}`,
 * `{success: true}`, `{passed: true}`, `{exitCode: 0}` and their opposites. Case is ignored, and null counts as
 * absent. The objects of a list `checks` are read in the same way, but can only downgrade a pass,
 * because the list may be incomplete.
 *
 * The build passed only if all fields agree. Otherwise the result is
 *
 * - `fail` if the fields say so;
 * - `unknown` if fields contradict each other or the build has not finished;
 * - undefined for a pass together with an unknown value, such as `{ok: true, status: "skip"}`;
 * - undefined for no build result, or one without a known value.
 */
export const buildPasses: ObjectiveVerifier = ({ build_result: result }) => {
  if (result === undefined || result === null) return undefined;
  const readings = [...readFields(result), ...readObjections(result)];
  const verdicts = new Set(readings.filter((reading) => reading !== undefined));
  if (verdicts.size > 1) return "unknown";
  const [verdict] = verdicts;
  return verdict === "pass" && readings.includes(undefined) ? undefined : verdict;
};

/** Reads every known field that is present. */
function readFields(result: JsonObject): (ObjectiveStatus | undefined)[] {
  return Object.entries(SHAPES)
    .map(([key, read]) => ({ value: result[key], read }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ value, read }) => read(value));
}

/** The combined verdict of the checks, unless it is a pass or there are no checks. */
function readObjections({ checks }: JsonObject): ObjectiveStatus[] {
  if (!Array.isArray(checks)) return [];
  const verdicts = checks.filter(isJsonObject).flatMap(readFields);
  const verdict = combineVerdicts(verdicts.filter((each) => each !== undefined));
  return verdict === undefined || verdict === "pass" ? [] : [verdict];
}

/**
 * Combines verifiers: `pass` only if all pass, `fail` if one fails, undefined if none ran, otherwise `unknown`.
 *
 * Throws TypeError if there are no verifiers: otherwise everything would pass unchecked.
 */
export function allPass(verifiers: readonly ObjectiveVerifier[]): ObjectiveVerifier {
  if (verifiers.length === 0) throw new TypeError("no verifiers: expected at least one");
  return (branch) => combineVerdicts(verifiers.map((verify) => verify(branch)));
}

/**
 * Combines verdicts that must all pass: `fail` if one fails, the common verdict if they agree, otherwise
 * `unknown`. Undefined counts as a verdict: mixed with others it gives `unknown`.
 */
export function combineVerdicts(
  verdicts: Iterable<ObjectiveStatus | undefined>,
): ObjectiveStatus | undefined {
  const distinct = new Set(verdicts);
  if (distinct.has("fail")) return "fail";
  const [verdict] = distinct;
  return distinct.size > 1 ? "unknown" : verdict;
}

/**
 * Verifies one branch by an objective criterion, such as a passing build or test. It must be pure, and cheap
 * enough to be called repeatedly.
 *
 * - `pass`, `fail`: the result of the criterion;
 * - `unknown`: the verification did not finish, or contradicts itself;
 * - undefined: it did not run, and the branch contains no evidence.
 */
export type ObjectiveVerifier = (branch: Open<RolloutBranch>) => ObjectiveStatus | undefined;
