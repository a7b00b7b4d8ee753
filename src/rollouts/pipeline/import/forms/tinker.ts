import { basename, dirname } from "node:path";
import { findErrors, isRolloutTraceStep, type RolloutTraceStep } from "#generated/index.js";
import { resolvePointer, toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { toBranch } from "../conversation/branch.js";
import type { RowFields } from "../conversation/fields.js";
import { RowIssues } from "../conversation/issues.js";
import { skipFields } from "../conversation/unread.js";
import type { Imported, ImportFault, ImportReader, ImportSettings } from "../reader.js";
import { findRunEnd } from "../verdicts/run-end.js";
import { type Metric, readScores } from "../verdicts/scores.js";
import { type Form, hasKeys, packed } from "./form.js";
import { findEvalWord, readRun } from "./tinker-steps.js";

/** Fields that are read, of a row, a step and a trace. */
const READ_FIELDS = ["schema_version", "split", "iteration", "group_idx", "traj_idx", "steps"];
const STEP_FIELDS: ReadonlySet<string> = new Set(["trace"]);
const LAST_STEP_FIELDS: ReadonlySet<string> = new Set(["trace", "stop_reason"]);
const TRACE_FIELDS: ReadonlySet<string> = new Set(["prompt", "policy_response"]);

/** The only version of rollout summaries so far. */
const SCHEMA_VERSION = 1;

/**
 * Rollout summaries of the Tinker Cookbook, written by `serialize_rollout_summaries`: one row per trajectory,
 * whose steps contain traces. A group (split, iteration, group_idx) is a rollout, and traj_idx is the branch.
 */
export const tinker: Form = {
  id: "tinker",
  purpose: "rollout summaries of the Tinker Cookbook",
  unit: "row",
  files: packed("**/*_rollout_summaries.jsonl"),
  options: [
    {
      flags: "--allow-eval",
      description:
        "tinker: import evaluation rows too: the name of their file, folder or split contains a word such as eval or test",
    },
    { flags: "--traces", description: "tinker: store the trace of every step in the field steps" },
  ],
  recognise: ([first]) => hasKeys(first, "traj_idx", "group_idx", "steps"),
  createReader(settings, values) {
    const [allowEval, traces] = [values.flag("allowEval"), values.flag("traces")];
    return new TinkerReader({ ...settings, allowEval, traces });
  },
};

interface TinkerSettings extends ImportSettings {
  readonly allowEval: boolean;
  readonly traces: boolean;
}

class TinkerReader implements ImportReader {
  readonly #settings: TinkerSettings;

  constructor(settings: TinkerSettings) {
    this.#settings = settings;
  }

  refuseFile(file: string): ImportFault | undefined {
    if (this.#settings.allowEval) return undefined;
    const folder = basename(dirname(file));
    return (
      findEvalFault("its name,", basename(file), "") ??
      findEvalFault("the name of its folder,", folder, "")
    );
  }

  read(row: JsonObject): Imported {
    const version = findVersionFault(row);
    if (version !== undefined) return { kind: "faulty", faults: [version] };
    const issues = new RowIssues("left-out");
    const split = issues.text(row, "split");
    const [iteration, group, branchIndex] = ["iteration", "group_idx", "traj_idx"].map((key) =>
      issues.index(row, key),
    );
    const evaluation = findEvalFault("the split", split, "/split");
    if (evaluation !== undefined && !this.#settings.allowEval) issues.faults.push(evaluation);
    const steps = issues.objects(issues.list(row, "steps"), "/steps");
    const answered = readRun(steps, issues);
    const traces = this.#settings.traces ? toTraceSteps(steps, issues) : undefined;
    const read = new Set(READ_FIELDS);
    const { fields: scores, faults } = readScores(this.#settings.rewards, (name) => {
      const metric = findMetric(row, name);
      read.add(metric.pointer.split("/")[1] ?? "");
      return metric;
    });
    issues.faults.push(...faults);
    skipFields(row, read, "", issues);
    const last = steps.at(-1)?.[0];
    const { end } = findRunEnd(row, last);
    // With traces, the branch keeps everything of a step.
    for (const [at, step] of this.#settings.traces ? [] : steps) {
      skipFields(step, at === last ? LAST_STEP_FIELDS : STEP_FIELDS, at, issues);
      if (isJsonObject(step.trace)) skipFields(step.trace, TRACE_FIELDS, `${at}/trace`, issues);
    }
    const { idPrefix, temperature } = this.#settings;
    const rolloutId = `${idPrefix}${split}-${iteration}-${group}`;
    if (issues.faults.length > 0) return { kind: "faulty", faults: issues.faults, rolloutId };
    if ("kind" in answered) return { ...answered, tally: issues.tally };
    const { steps: _, ...record } = row;
    return toBranch(answered, {
      rolloutId,
      branchIndex: branchIndex ?? 0,
      sessionId: `${idPrefix}${split}/${iteration}/${group}/${branchIndex}`,
      temperature,
      scores,
      steps: traces,
      end: end && { ...end, hasVerdict: true },
      origin: { source: tinker.id, record },
      issues,
      toOwnPointer: (pointer) => toOwnPointer(pointer, steps),
    });
  }
}

/** Pointers into fields of a branch that other sources do not have. */
function toOwnPointer(
  pointer: string,
  steps: readonly [at: string, step: JsonObject][],
): string | undefined {
  const [, field, index, ...below] = pointer.split("/");
  if (field === "branch_index") return "/traj_idx";
  if (field !== "steps") return undefined;
  const [at] = steps[Number(index)] ?? [];
  return at === undefined ? "" : [`${at}/trace`, ...below].join("/");
}

/** The fault for a name that marks an evaluation. `what` describes the named object. */
function findEvalFault(what: string, name: string, pointer: string): ImportFault | undefined {
  const word = findEvalWord(name);
  if (word === undefined) return undefined;
  const why = `by the word ${previewValue(word)} in ${what} ${previewValue(name)}`;
  const advice = "training on it is contamination; --allow-eval imports it anyway";
  return { id: "eval-rollouts", pointer, message: `belongs to an evaluation, ${why}: ${advice}` };
}

function findVersionFault(row: JsonObject): ImportFault | undefined {
  const { schema_version: version } = row;
  if (version === SCHEMA_VERSION) return undefined;
  const supported = `supported is ${SCHEMA_VERSION}`;
  if (version === undefined) {
    const message = `lacks "schema_version": not a rollout summary; ${supported}`;
    return { id: "schema-version", pointer: "", message };
  }
  const message = `${previewValue(version)} is not supported: ${supported}`;
  return { id: "schema-version", pointer: "/schema_version", message };
}

/** Combines each step with the parts of its trace. */
function toTraceSteps(
  steps: readonly [at: string, step: JsonObject][],
  fields: RowFields,
): RolloutTraceStep[] {
  return steps.flatMap(([at, { trace, ...step }]) => {
    const parts = Object.entries(trace ?? {}).filter(([, part]) => part !== null);
    const traced = { ...step, ...Object.fromEntries(parts) };
    if (isRolloutTraceStep(traced)) return [traced];
    for (const { keyword: id, pointer, ...said } of findErrors("RolloutTraceStep", traced)) {
      fields.faults.push({ id, pointer: `${at}/trace${pointer}`, ...said });
    }
    return [];
  });
}

/** `reward` is the total. A JSON Pointer refers to any value in the row. Other names are metrics. */
function findMetric(row: JsonObject, name = "reward"): Metric {
  if (name.startsWith("/")) return { pointer: name, value: resolvePointer(row, name) };
  const field = name === "reward" ? "total_reward" : name;
  const pointer = ["total_reward", "final_reward"].includes(field)
    ? `/${field}`
    : `/trajectory_metrics/${toPointerToken(field)}`;
  return { pointer, value: resolvePointer(row, pointer) };
}
