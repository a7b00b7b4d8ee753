import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { type RowCall, readArguments } from "../conversation/calls.js";
import { findTask, type RowConversation, toConversation } from "../conversation/conversation.js";
import { type RowMessage, toResultMessage, toRowMessages } from "../conversation/dialects.js";
import type { RowIssues } from "../conversation/issues.js";
import { createSpeech, readOutput, readSegments } from "../conversation/parts.js";
import { readTools } from "../conversation/tools.js";
import { checkUnread, skipFields } from "../conversation/unread.js";

const ROLES = { system: "system", user: "user", agent: "assistant" } as const;

/** A step of a trajectory. */
interface AtifStep {
  /** Whether it is context copied from an earlier trajectory. */
  readonly isCopied: boolean;
  /** What is said in the step, if anything, and the results in its observation. */
  readonly messages: readonly RowMessage[];
}

/** The conversation of a trajectory. */
interface AtifConversation extends RowConversation {
  /** Number of copied steps that are not part of it. */
  readonly skippedSteps: number;
}

/**
 * Reads the conversation in the steps of a trajectory. What is before the task was given to the model, and so were
 * copied steps. Those after the task are skipped: the agent took them in an earlier trajectory.
 */
export function readTrajectory(document: JsonObject, issues: RowIssues): AtifConversation {
  const steps = issues
    .objects(issues.list(document, "steps"), "/steps")
    .map(([at, step]) => readStep(step, at, issues));
  const messages = steps.flatMap((step) => step.messages);
  const task = messages[findTask(messages)];
  const asking = steps.findIndex((step) => task !== undefined && step.messages.includes(task));
  const kept = steps.filter(({ isCopied }, index) => !isCopied || index <= asking);
  const { agent } = document;
  const given = isJsonObject(agent) ? agent.tool_definitions : undefined;
  const tools = readTools(given, "/agent/tool_definitions", issues);
  const form = { environmentSpeaks: true, tools };
  return {
    ...toConversation(
      kept.flatMap((step) => step.messages),
      issues,
      form,
    ),
    tools,
    pointer: "/steps",
    skippedSteps: steps.length - kept.length,
  };
}

/** Fields of steps, calls, observations and results that are read. */
const STEP_FIELDS: ReadonlySet<string> = new Set([
  ...["source", "message", "reasoning_content", "tool_calls", "observation", "is_copied_context"],
]);
const CALL_FIELDS: ReadonlySet<string> = new Set(["tool_call_id", "function_name", "arguments"]);
const OBSERVATION_FIELDS: ReadonlySet<string> = new Set(["results"]);
const RESULT_FIELDS: ReadonlySet<string> = new Set(["source_call_id", "content"]);

function readStep(step: JsonObject, pointer: string, issues: RowIssues): AtifStep {
  const role = readRole(step, pointer, issues);
  const isAgent = role === "assistant";
  const contentPointer = `${pointer}/message`;
  const segments = readSegments(step.message, contentPointer, isAgent, issues);
  const own = createSpeech();
  if (isAgent) {
    own.reasoning = issues.optionalText(step, "reasoning_content", pointer) ?? "";
    const calls = issues.optionalList(step, "tool_calls", pointer);
    for (const [at, call] of issues.objects(calls, `${pointer}/tool_calls`)) {
      own.calls.push(readCall(call, at, issues));
    }
  }
  const base = { pointer, contentPointer, role, callId: undefined, name: undefined };
  const said = toRowMessages(base, segments, own).filter(isSomething);
  const results = readResults(step, pointer, issues);
  const isCopied = step.is_copied_context === true;
  const messages = [...said, ...results].map((message) => ({ ...message, given: isCopied }));
  const isEmpty = messages.length === 0;
  const names = own.calls.map((call) => call.name);
  checkUnread(
    skipFields(step, STEP_FIELDS, pointer, issues),
    { isEmpty, calls: names },
    pointer,
    issues,
  );
  return { isCopied, messages };
}

function readRole(step: JsonObject, pointer: string, issues: RowIssues): RowMessage["role"] {
  const source = issues.text(step, "source", pointer);
  if (source === "system" || source === "user" || source === "agent") return ROLES[source];
  if (source !== "") issues.refuse(`${pointer}/source`, "system, user or agent", source);
  return "system";
}

/** A step may only record what the environment did. */
function isSomething({ role, content, reasoning, calls }: RowMessage): boolean {
  return role === "tool" || content !== "" || reasoning !== "" || calls.length > 0;
}

/** Reads `{tool_call_id, function_name, arguments}`. */
function readCall(call: JsonObject, pointer: string, issues: RowIssues): RowCall {
  skipFields(call, CALL_FIELDS, pointer, issues);
  return {
    pointer,
    id: issues.optionalText(call, "tool_call_id", pointer) || undefined,
    name: issues.text(call, "function_name", pointer),
    args: readArguments(call, pointer, pointer, issues),
  };
}

/** Reads the results in the observation of a step: `{source_call_id?, content?}`. */
function readResults(step: JsonObject, pointer: string, issues: RowIssues): RowMessage[] {
  const observation = issues.optionalObject(step, "observation", pointer) ?? {};
  const at = `${pointer}/observation`;
  const results = issues.optionalList(observation, "results", at);
  skipFields(observation, OBSERVATION_FIELDS, at, issues);
  return issues.objects(results, `${at}/results`).map(([place, result]) => {
    skipFields(result, RESULT_FIELDS, place, issues);
    return toResultMessage({
      pointer: place,
      callId: issues.optionalText(result, "source_call_id", place) || undefined,
      ...readOutput(result.content, `${place}/content`, issues),
      failed: false,
    });
  });
}
