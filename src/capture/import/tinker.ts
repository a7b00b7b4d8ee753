import { basename } from "node:path";
import { findErrors, isRolloutTraceStep, type RolloutTraceStep } from "#generated/index.js";
import { describeError } from "../../records/describe-error.js";
import type { JsonObject } from "../../records/json-object.js";
import { previewValue } from "../../records/preview-value.js";
import { resolvePointer, toPointerToken } from "../../records/resolve-pointer.js";
import type {
  Imported,
  ImportFault,
  ImportReader,
  ImportSettings,
  ImportSource,
} from "./import-source.js";
import { type ChatMessage, readConversation } from "./parts/read-conversation.js";
import { RowFields } from "./parts/row-fields.js";
import { toBranch } from "./parts/to-branch.js";
import { Transcript } from "./parts/transcript.js";
import { type Metric, readScores } from "./rewards/read-scores.js";

/** The one version of rollout summaries that there is. */
const SCHEMA_VERSION = 1;

/** Names that the Tinker Cookbook gives to the files of evaluations, and to their splits. */
const EVAL_FILE = /^eval_|^test_rollout_summaries\./i;
const EVAL_SPLIT = /^(?:eval|test)/i;

const EVAL_ADVICE = "training on it is contamination; --allow-eval takes it all the same";

/**
 * Rollout summaries of the Tinker Cookbook: a row per trajectory, as `serialize_rollout_summaries` writes
 * them, whose steps carry traces. A group (split, iteration, group_idx) is a rollout, and traj_idx the
 * branch.
 */
export const tinker: ImportSource = {
  id: "tinker",
  purpose: "rollout summaries of the Tinker Cookbook",
  unit: "row",
  files: ["", ".gz", ".zst"].map((packed) => `**/*_rollout_summaries.jsonl${packed}`),
  documents: false,
  options: [
    {
      flags: "--allow-eval",
      description: "tinker: take rows of evaluations too (eval_* files, splits eval and test)",
    },
    { flags: "--traces", description: "tinker: keep the trace of every step, as steps" },
  ],
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
    if (this.#settings.allowEval || !EVAL_FILE.test(basename(file))) return undefined;
    return { id: "eval-rollouts", pointer: "", message: `a file of an evaluation: ${EVAL_ADVICE}` };
  }

  read(row: JsonObject): Imported {
    const version = findVersionFault(row);
    if (version !== undefined) return { kind: "faulty", faults: [version] };
    const fields = new RowFields();
    const split = fields.text(row, "split");
    const [iteration, group, branchIndex] = ["iteration", "group_idx", "traj_idx"].map((key) =>
      fields.index(row, key),
    );
    if (!this.#settings.allowEval && EVAL_SPLIT.test(split)) {
      const message = `${previewValue(split)} is a split of an evaluation: ${EVAL_ADVICE}`;
      fields.faults.push({ id: "eval-rollouts", pointer: "/split", message });
    }
    const steps = fields.objects(fields.list(row, "steps"), "/steps");
    const told = readSteps(steps, fields);
    const traces = this.#settings.traces ? toTraceSteps(steps, fields) : undefined;
    const { fields: scores, faults } = readScores(this.#settings.rewards, (name) =>
      findMetric(row, name),
    );
    fields.faults.push(...faults);
    if (fields.faults.length > 0) return { kind: "faulty", faults: fields.faults };
    if ("without" in told) return { kind: "left-out", fault: told.without };
    const { steps: _, ...record } = row;
    return toBranch(
      {
        rolloutId: `${split}-${iteration}-${group}`,
        sessionId: `${this.#settings.idPrefix}${split}/${iteration}/${group}/${branchIndex}`,
        branchIndex: branchIndex ?? 0,
        task: told.task,
        transcript: told.transcript,
        steps: traces,
        scores,
        origin: {
          source: tinker.id,
          record,
          ...(told.system !== "" && { system_prompt: told.system }),
        },
        pointers: {
          task: told.taskPointer,
          branchIndex: "/traj_idx",
          steps: steps.map(([at]) => `${at}/trace`),
        },
      },
      this.#settings,
    );
  }
}

function findVersionFault(row: JsonObject): ImportFault | undefined {
  const { schema_version: version } = row;
  if (version === SCHEMA_VERSION) return undefined;
  const supported = `supported is ${SCHEMA_VERSION}`;
  if (version === undefined) {
    const message = `lacks "schema_version": no rollout summary; ${supported}`;
    return { id: "schema-version", pointer: "", message };
  }
  const message = `${previewValue(version)} is not supported: ${supported}`;
  return { id: "schema-version", pointer: "/schema_version", message };
}

/** What the steps of a row tell, or what they do not. */
type Told =
  | {
      readonly task: string;
      readonly taskPointer: string;
      readonly system: string;
      readonly transcript: Transcript;
    }
  | { readonly without: ImportFault };

/** A step with the text of its trace. */
interface TracedStep {
  readonly prompt: readonly ChatMessage[] | undefined;
  readonly response: readonly ChatMessage[] | undefined;
}

function readSteps(steps: readonly [at: string, step: JsonObject][], fields: RowFields): Told {
  const traced = steps.map(([at, step]): TracedStep => {
    const trace = fields.optionalObject(step, "trace", at) ?? {};
    return {
      prompt: readConversation(trace, "prompt", `${at}/trace`, fields),
      response: readConversation(trace, "policy_response", `${at}/trace`, fields),
    };
  });
  const first = traced.find(({ prompt }) => prompt !== undefined)?.prompt;
  if (first === undefined) return withoutText("no step has a trace with the text of its prompt");
  if (traced.every(({ response }) => response === undefined)) {
    return withoutText("no step has a trace with the text of its response");
  }
  const user = first.find(({ role, content }) => role === "user" && content.text !== "");
  if (user === undefined) return withoutText("the first prompt has no text of a user: no task");
  const asked = findLaterQuestion(first, user);
  if (asked !== undefined) {
    const message = "the first prompt is a conversation: a branch has one message for a task";
    return { without: { id: "multi-turn-prompt", pointer: asked.pointer, message } };
  }
  const transcript = new Transcript();
  for (const message of first) {
    if (message !== user && !isSystem(message)) transcript.addUnplaced(message.pointer);
    else if (message.content.hasOther) transcript.addUnplaced(message.pointer);
  }
  let previous: TracedStep | undefined;
  for (const step of traced) {
    if (step.prompt !== first && step.prompt !== undefined) {
      for (const message of findNew(step.prompt, previous)) tell(message, user, transcript);
    }
    for (const message of step.response ?? []) tell(message, user, transcript);
    if (step.prompt !== undefined || step.response !== undefined) previous = step;
  }
  const system = first.filter(isSystem).map(({ content }) => content.text);
  return {
    task: user.content.text,
    taskPointer: `${user.pointer}/content`,
    system: system.filter((text) => text !== "").join("\n\n"),
    transcript,
  };
}

function withoutText(message: string): Told {
  return { without: { id: "no-text", pointer: "", message } };
}

/**
 * What a prompt really asks when it holds answers to what it asked before: examples, or an earlier part of
 * the conversation. The agent would seem to answer what it did not.
 */
function findLaterQuestion(
  prompt: readonly ChatMessage[],
  user: ChatMessage,
): ChatMessage | undefined {
  const answered = prompt.findIndex(({ role }) => role === "assistant");
  const last = prompt.findLastIndex(({ role, content }) => role === "user" && content.text !== "");
  return answered >= 0 && last > answered && prompt[last] !== user ? prompt[last] : undefined;
}

/**
 * What the environment added to a prompt since the step before. A prompt repeats all that came before it,
 * or a shortened form of that (renderers drop the reasoning of earlier turns), so that it is told by its end:
 * what stands behind the last message of the agent.
 */
function findNew(
  prompt: readonly ChatMessage[],
  previous: TracedStep | undefined,
): readonly ChatMessage[] {
  // Without the text of its response, what the agent said is only known from the next prompt.
  if (previous?.response === undefined) return prompt.slice(previous?.prompt?.length ?? 0);
  const isAgents = ({ role }: ChatMessage): boolean => role === "assistant";
  const added = prompt.slice(prompt.findLastIndex(isAgents) + 1);
  // What the response itself held behind the agent's last message was told with it.
  const { response } = previous;
  const told = response.length - 1 - response.findLastIndex(isAgents);
  return told < response.length ? added.slice(told) : added;
}

function tell(message: ChatMessage, user: ChatMessage, transcript: Transcript): void {
  const { pointer, role, content, calls, callId, name, unparsedCall } = message;
  if (role === "assistant") {
    transcript.addTurn(content.text, calls, pointer);
    if (unparsedCall !== undefined) transcript.addUnplaced(unparsedCall);
    if (content.hasOther) transcript.addUnplaced(pointer);
  } else if (role === "tool") {
    transcript.addResult({ pointer, callId, toolName: name, output: content.text });
    if (content.hasOther) transcript.addUnplaced(pointer);
  } else if (!isSystem(message) && content.text !== user.content.text) {
    transcript.addUnplaced(pointer);
  }
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/** Each step with the parts of its trace beside its own fields. */
function toTraceSteps(
  steps: readonly [at: string, step: JsonObject][],
  fields: RowFields,
): RolloutTraceStep[] {
  return steps.flatMap(([at, { trace, ...step }]) => {
    const parts = Object.entries(trace ?? {}).filter(([, part]) => part !== null);
    const traced = { ...step, ...Object.fromEntries(parts) };
    if (isRolloutTraceStep(traced)) return [traced];
    for (const error of findErrors("RolloutTraceStep", traced)) {
      const { keyword: id, pointer } = error;
      fields.faults.push({
        id,
        pointer: `${at}/trace${pointer}`,
        message: describeError(error, traced),
      });
    }
    return [];
  });
}

/** `reward` is the total; a JSON Pointer names anything in the row; other names are metrics. */
function findMetric(row: JsonObject, name = "reward"): Metric {
  if (name.startsWith("/")) return { pointer: name, value: resolvePointer(row, name) };
  const field = name === "reward" ? "total_reward" : name;
  const pointer = ["total_reward", "final_reward"].includes(field)
    ? `/${field}`
    : `/trajectory_metrics/${toPointerToken(field)}`;
  return { pointer, value: resolvePointer(row, pointer) };
}
