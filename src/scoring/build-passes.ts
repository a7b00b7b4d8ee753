import type { ObjectiveStatus } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { combineVerdicts } from "./combine-verdicts.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";

/** Words of build and test runners, in lower case. A word that is not here says nothing. */
const WORDS: readonly (readonly [ObjectiveStatus, readonly string[]])[] = [
  ["pass", ["pass", "passed", "success", "succeeded", "ok"]],
  // Of a build, "error" is what the compiler says.
  ["fail", ["fail", "failed", "failure", "error", "errored"]],
  // None of these came to an end of its own.
  ["unknown", ["running", "in_progress", "pending", "queued", "unknown"]],
  ["unknown", ["cancelled", "canceled", "aborted", "timeout", "timed_out"]],
];

/** What a value says; undefined when it is none of those that are known. */
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
 * The fields of a build result by which runtimes say how it went. The format leaves the shape to the
 * runtime (`rollout-wire#/$defs/RolloutBranch`, `build_result`): a new shape is a new line here.
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
 * Whether the build of a branch passed, by its `build_result`: `{status: "pass"}`, `{ok: true}`,
 * `{success: true}`, `{passed: true}`, `{exitCode: 0}` and their opposites. Words in any case; a field
 * that is null counts as absent. The objects of a list `checks` are read likewise, and can only speak
 * against: nothing says that the list is complete.
 *
 * It passes only if all that is said says so:
 * - fields that contradict each other, or a build that has not ended: `unknown`;
 * - a pass beside a field whose value is not known, such as `{ok: true, status: "skip"}`: undefined;
 * - no build result, or none that says anything known: undefined.
 */
export const buildPasses: ObjectiveVerifier = ({ build_result: result }) => {
  if (result === undefined || result === null) return undefined;
  const readings = [...readFields(result), ...readObjections(result)];
  const verdicts = new Set(readings.filter((reading) => reading !== undefined));
  if (verdicts.size > 1) return "unknown";
  const [verdict] = verdicts;
  return verdict === "pass" && readings.includes(undefined) ? undefined : verdict;
};

/** One reading for each known field that says something. */
function readFields(result: JsonObject): (ObjectiveStatus | undefined)[] {
  return Object.entries(SHAPES)
    .map(([key, read]) => ({ value: result[key], read }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ value, read }) => read(value));
}

/** What the checks say together, unless it is that they pass or nothing. */
function readObjections({ checks }: JsonObject): ObjectiveStatus[] {
  if (!Array.isArray(checks)) return [];
  const verdicts = checks.filter(isJsonObject).flatMap(readFields);
  const verdict = combineVerdicts(verdicts.filter((each) => each !== undefined));
  return verdict === undefined || verdict === "pass" ? [] : [verdict];
}
