import type { JsonObject } from "../json/value.js";
import { type ChatMessage, readConversation } from "./conversation.js";
import type { RowFields } from "./fields.js";
import type { ImportFault } from "./source.js";
import { NOTHING_SAID, Transcript } from "./transcript.js";

/** What the steps of a row tell, or what they do not. */
export type Told =
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

/** What the traces of steps tell, with their faults in `fields`. */
export function tellSteps(
  steps: readonly [at: string, step: JsonObject][],
  fields: RowFields,
): Told {
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
  if (transcript.isEmpty) return withoutText(NOTHING_SAID);
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
  const { pointer, role, content, calls, callId, name, unparsedCall, results } = message;
  if (role === "assistant") {
    transcript.addTurn(content.text, calls, pointer);
    if (unparsedCall !== undefined) transcript.addUnplaced(unparsedCall);
  } else if (role === "tool" && results.length === 0) {
    transcript.addResult({ pointer, callId, toolName: name, output: content.text });
  }
  for (const result of results) transcript.addResult(result);
  if (!isPlaced(message, user)) transcript.addUnplaced(pointer);
}

/** Whether a branch has a place for all that a message says beside its calls and results. */
function isPlaced(message: ChatMessage, user: ChatMessage): boolean {
  const { role, content, results } = message;
  if (role === "assistant" || (role === "tool" && results.length === 0)) return !content.hasOther;
  if (isSystem(message) || content.text === user.content.text) return true;
  return results.length > 0 && content.text === "" && !content.hasOther;
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/** Words by which people name what they evaluate with. A word ends where no letter follows: `eval_5`, `my-evals`. */
const EVAL_WORD =
  /(?<!\p{L})(?:evals?|evaluations?|tests?|testing|val|validation|dev|held[-_ ]?out)(?:sets?)?(?!\p{L})/iu;

/** The first word of a name that says that it is of an evaluation; undefined when none does. */
export function findEvalWord(name: string): string | undefined {
  return EVAL_WORD.exec(name)?.[0];
}
