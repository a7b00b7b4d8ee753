import type { ToolDefinition } from "#generated/index.js";
import { isSameJson } from "../../../../base/json/equality.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { type Answered, requireAnswer, toConversation } from "../conversation/conversation.js";
import { type RowMessage, readMessage, roleOf } from "../conversation/dialects.js";
import type { RowIssues } from "../conversation/issues.js";
import { NO_JSON, parseJsonText } from "../conversation/json-text.js";
import { readText } from "../conversation/parts.js";
import { readTools } from "../conversation/tools.js";
import type { LeftOut } from "../reader.js";

/** A message in a trace, and its JSON Pointer. */
type TracedMessage = readonly [at: string, message: JsonObject];

/** The conversations in the trace of a step; undefined if it has none. */
interface TracedStep {
  readonly prompt: readonly TracedMessage[] | undefined;
  readonly response: readonly TracedMessage[] | undefined;
}

/**
 * Reads the conversation in the traces of the steps, or why the row is left out. The model was given the first prompt;
 * but if the first steps have none, the next one records what they said. Faults are added to the issues.
 */
export function readRun(
  steps: readonly [at: string, step: JsonObject][],
  issues: RowIssues,
): Answered | LeftOut {
  const traced = steps.map(([at, step]): TracedStep => {
    const trace = issues.optionalObject(step, "trace", at) ?? {};
    return {
      prompt: findMessages(trace, "prompt", `${at}/trace`, issues),
      response: findMessages(trace, "policy_response", `${at}/trace`, issues),
    };
  });
  const start = traced.findIndex(({ prompt }) => prompt !== undefined);
  const first = traced[start]?.prompt;
  if (first === undefined) return leaveOut("no step has a trace with the text of its prompt");
  if (traced.every(({ response }) => response === undefined)) {
    return leaveOut("no step has a trace with the text of its response");
  }
  const prompt = readPrompt(first, issues);
  const later = findLater(traced.slice(start), first).flatMap(([at, message]) =>
    readMessage(message, at, issues),
  );
  const isGiven = start === 0;
  const given = prompt.messages.map((message) => ({ ...message, given: isGiven }));
  return requireAnswer({
    ...toConversation([...given, ...later], issues, { tools: prompt.tools }),
    tools: prompt.tools,
    pointer: "",
  });
}

function leaveOut(message: string): LeftOut {
  return { kind: "left-out", fault: { id: "no-text", pointer: "", message } };
}

/** The messages of `{type: "conversation", messages: [...]}` under a key; undefined if there is no such value. */
function findMessages(
  trace: JsonObject,
  key: string,
  pointer: string,
  issues: RowIssues,
): readonly TracedMessage[] | undefined {
  const conversation = issues.optionalObject(trace, key, pointer);
  if (conversation === undefined || !Object.hasOwn(conversation, "messages")) return undefined;
  const at = `${pointer}/${key}`;
  return issues.objects(issues.list(conversation, "messages", at), `${at}/messages`);
}

/** The role in which renderers for Kimi put the definitions of the tools; others put them into the system prompt. */
const TOOLS_ROLE = "tool_declare";

interface FirstPrompt {
  readonly messages: readonly RowMessage[];
  /** Undefined if the prompt does not declare them as JSON. */
  readonly tools: readonly ToolDefinition[] | undefined;
}

function readPrompt(prompt: readonly TracedMessage[], issues: RowIssues): FirstPrompt {
  const declared: ToolDefinition[] = [];
  const messages = prompt.flatMap(([at, message]) => {
    if (message.role !== TOOLS_ROLE) return readMessage(message, at, issues);
    const text = readText(message.content, `${at}/content`, issues);
    // Some renderers declare tools in another language than JSON.
    const isText = parseJsonText(text).problem === NO_JSON;
    if (isText) return readMessage({ role: "system", content: text }, at, issues);
    declared.push(...(readTools(text, `${at}/content`, issues) ?? []));
    return [];
  });
  return { messages, tools: declared.length > 0 ? declared : undefined };
}

/** The messages after the first prompt, each once: prompts repeat what was said before. */
function findLater(
  traced: readonly TracedStep[],
  first: readonly TracedMessage[],
): readonly TracedMessage[] {
  const later: TracedMessage[] = [];
  let previous: TracedStep | undefined;
  for (const step of traced) {
    if (step.prompt !== undefined && step.prompt !== first) {
      later.push(...findNew(step.prompt, previous, first));
    }
    later.push(...(step.response ?? []));
    if (step.prompt !== undefined || step.response !== undefined) previous = step;
  }
  return later;
}

/**
 * Returns the messages that the environment added to a prompt since the previous step: those after the agent's
 * last message. Earlier messages cannot be compared, because renderers may shorten them (they drop the
 * reasoning of earlier turns).
 */
function findNew(
  prompt: readonly TracedMessage[],
  previous: TracedStep | undefined,
  first: readonly TracedMessage[],
): readonly TracedMessage[] {
  // Without a traced response, only the next prompt records what the agent said.
  if (previous?.response === undefined) return prompt.slice(previous?.prompt?.length ?? 0);
  const isAgents = ([, message]: TracedMessage): boolean => roleOf(message) === "assistant";
  const last = prompt.findLastIndex(isAgents);
  // A prompt without the agent's messages begins anew: it repeats the beginning of the first one.
  const added = last < 0 ? prompt.slice(countSame(prompt, first)) : prompt.slice(last + 1);
  // Messages after the agent's last one in the response were added together with the response.
  const { response } = previous;
  const known = response.length - 1 - response.findLastIndex(isAgents);
  return known < response.length ? added.slice(known) : added;
}

/** Number of messages with which two prompts begin alike. */
function countSame(one: readonly TracedMessage[], other: readonly TracedMessage[]): number {
  const differs = one.findIndex(([, message], index) => !isSameJson(message, other[index]?.[1]));
  return differs < 0 ? one.length : differs;
}

/** Words in names of evaluations. A word ends where no letter follows: `eval_5`, `my-evals`. */
const EVAL_WORD =
  /(?<!\p{L})(?:evals?|evaluations?|tests?|testing|val|validation|dev|held[-_ ]?out)(?:sets?)?(?!\p{L})/iu;

/** The first word in a name that marks an evaluation; undefined if there is none. */
export function findEvalWord(name: string): string | undefined {
  return EVAL_WORD.exec(name)?.[0];
}
