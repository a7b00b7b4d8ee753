import { features } from "#generated/features.js";
import type { Open, RolloutBranchRecord, ToolDefinition } from "#generated/index.js";
import { printJson } from "../../../../base/json/print.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../../base/json/value.js";
import { BranchConversation } from "../../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../../conversation/dialects.js";
import { listOf } from "../features.js";
import { toToolsField } from "../training-records.js";
import type { ExportTarget } from "./target.js";

/**
 * A trajectory in the Agent Trajectory Interchange Format, version 1.7. Fields are those of Harbor's
 * `harbor.models.trajectories`, which refuses all others.
 */
export interface AtifTrajectory {
  schema_version: "ATIF-v1.7";
  session_id: string;
  trajectory_id?: string;
  agent: AtifAgent;
  steps: AtifStep[];
  notes?: string;
  final_metrics: { total_steps: number };
  /** What the imported trajectory had there, and `rollout_wire`. */
  extra: { rollout_wire: AtifVerdict };
}

/** The agent of a trajectory. */
export interface AtifAgent {
  /** As the imported trajectory says, else `unknown`; so is the version. */
  name: string;
  version: string;
  tool_definitions?: ToolDefinition[];
}

/** A step of a trajectory. */
export interface AtifStep {
  /** From 1. */
  step_id: number;
  source: "system" | "user" | "agent";
  message: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: JsonObject }[];
  observation?: { results: AtifResult[] };
  /** True for what the model was given, where it contains turns of a model. */
  is_copied_context?: true;
}

/** What a call returned. Parts only where one of them is a picture. */
export interface AtifResult {
  source_call_id?: string;
  content: string | readonly JsonObject[];
}

/** Which branch a trajectory is, and its scores as `import --objective` and `--score` read them back. */
export interface AtifVerdict {
  rollout_id: string;
  branch_index: number;
  objective_score: RolloutBranchRecord["objective_score"];
  /** 0..10; absent if there was no judge. */
  judge_score?: number;
  total_score: number;
}

const text = { _type: "Value", dtype: "string" } as const;
const json = features.Message;

export const atif = {
  id: "atif",
  purpose: "trajectories in the Agent Trajectory Interchange Format, 1.7, which import reads too",
  readsToolEvents: true,
  features: {
    ppo: {
      schema_version: text,
      session_id: text,
      trajectory_id: text,
      agent: json,
      steps: listOf(json),
      notes: text,
      final_metrics: json,
      extra: json,
    },
  },
  readsReasoning: true,
  readsOrigin: true,
  findUnrewarded: (_branch, conversation) =>
    toSteps(conversation).strays > 0 ? "stray-result" : undefined,
  toPpo: toTrajectory,
} satisfies ExportTarget;

function toTrajectory(
  branch: Open<RolloutBranchRecord>,
  _options?: unknown,
  conversation = new BranchConversation(branch, { openEnd: true }),
): AtifTrajectory {
  const { rollout_id, branch_index, objective_score, total_score, judge_score } = branch;
  const origin = readOrigin(branch);
  const { trajectory_id, notes } = origin;
  const { steps } = toSteps(conversation);
  return {
    schema_version: "ATIF-v1.7",
    session_id: branch.session_id,
    ...(typeof trajectory_id === "string" && { trajectory_id }),
    agent: toAgent(origin, conversation),
    steps,
    ...(typeof notes === "string" && { notes }),
    final_metrics: { ...objectIn(origin, "final_metrics"), total_steps: steps.length },
    extra: {
      ...objectIn(origin, "extra"),
      rollout_wire: {
        ...{ rollout_id, branch_index, objective_score },
        ...(typeof judge_score === "number" && { judge_score }),
        total_score,
      },
    },
  };
}

/** What the import of a trajectory kept of it beside its conversation; empty for a branch of another origin. */
function readOrigin({ imported_from: from }: Open<RolloutBranchRecord>): JsonObject {
  return isJsonObject(from) && from.source === atif.id ? objectIn(from, "record") : {};
}

function objectIn(owner: JsonObject, key: string): JsonObject {
  const value = owner[key];
  return isJsonObject(value) ? value : {};
}

function toAgent(origin: JsonObject, { tools }: BranchConversation): AtifAgent {
  const agent = objectIn(origin, "agent");
  const { name, version } = agent;
  const { tools: tool_definitions } = toToolsField(tools);
  return {
    ...agent,
    name: typeof name === "string" ? name : "unknown",
    version: typeof version === "string" ? version : "unknown",
    ...(tool_definitions && { tool_definitions }),
  };
}

const SOURCES = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "agent",
  tool: "system",
} as const;

/** The steps of a conversation, and the number of results that do not follow their call. */
function toSteps({ messages, taskIndex }: BranchConversation): {
  readonly steps: AtifStep[];
  readonly strays: number;
} {
  const given = messages.slice(0, taskIndex + 1);
  // What comes after the last turn of a model asks for the next one, as the task does.
  const copied = given.findLastIndex(({ role }) => role === "assistant");
  const steps: AtifStep[] = [];
  let strays = 0;
  for (const [index, message] of toObjectMessages(messages).entries()) {
    const { role, tool_call_id: id } = message;
    const last = steps.at(-1);
    if (role !== "tool") {
      steps.push(toStep(message, steps.length + 1, index <= copied && SOURCES[role] !== "system"));
    } else if (id !== undefined && last?.tool_calls?.some((call) => call.tool_call_id === id)) {
      last.observation ??= { results: [] };
      last.observation.results.push({ source_call_id: id, content: toContent(message.content) });
    } else {
      strays += 1;
      const observation = { results: [{ content: toContent(message.content) }] };
      steps.push({ step_id: steps.length + 1, source: SOURCES[role], message: "", observation });
    }
  }
  return { steps, strays };
}

function toStep(
  { role, content, reasoning_content, tool_calls: calls }: ObjectMessage,
  step_id: number,
  isCopied: boolean,
): AtifStep {
  const tool_calls = calls?.map(({ id, function: { name, arguments: args } }) => ({
    tool_call_id: id,
    function_name: name,
    arguments: args,
  }));
  return {
    step_id,
    source: SOURCES[role],
    message: content,
    ...(role === "assistant" && {
      ...(reasoning_content !== undefined && { reasoning_content }),
      ...(tool_calls && { tool_calls }),
    }),
    ...(isCopied && { is_copied_context: true }),
  };
}

/** Text, or the parts whose JSON it is: so `import` keeps results with pictures. */
function toContent(content: string): AtifResult["content"] {
  const parts: unknown = content.startsWith("[{") ? tryParseJson(content) : undefined;
  const isParts = Array.isArray(parts) && parts.every((part) => isText(part) || isPicture(part));
  return isParts && parts.some(isPicture) && printJson(parts) === content ? parts : content;
}

function hasOnly(value: unknown, ...keys: readonly string[]): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).toSorted().join() === keys.join();
}

function isText(part: unknown): part is JsonObject {
  return hasOnly(part, "text", "type") && part.type === "text" && typeof part.text === "string";
}

/** Of the types that the format knows. */
function isPicture(part: unknown): part is JsonObject {
  if (!hasOnly(part, "source", "type") || part.type !== "image") return false;
  const { source } = part;
  if (!hasOnly(source, "media_type", "path") || typeof source.path !== "string") return false;
  return /^image\/(?:jpeg|png|gif|webp)$/.test(String(source.media_type));
}
