import type { ToolDefinition } from "#generated/index.js";
import { findPartners } from "../../../wire/conversation/pairing.js";
import { withoutNullArguments } from "./arrow-nulls.js";
import type { RowMessage } from "./dialects.js";
import type { RowIssues } from "./issues.js";
import { toActs } from "./pair-messages.js";
import {
  mayHoldCalls,
  readToolResults,
  readUserResults,
  readWrittenTurn,
  type WrittenTurn,
} from "./written-calls.js";

/** What is known of the source of a conversation. */
export interface SourceForm {
  /** Whether a result without an id and without an open call is what the environment says. */
  readonly environmentSpeaks?: boolean;
  /** Whether Arrow may have added nulls to the arguments of calls. */
  readonly isColumn?: boolean;
  readonly tools?: readonly ToolDefinition[] | undefined;
}

/**
 * Brings a conversation into the one form in which everything else reads it: the same texts, calls and results in the
 * same order. Whatever is changed is counted in the issues.
 *
 * - Null arguments that Arrow added are left out.
 * - Calls of the user are left out with their results: they are no part of the agent's conversation.
 * - Calls written in texts become calls if all of them can be read and have results; otherwise all stay text.
 * - Results without a call are the environment's messages where the source defines them so.
 * - Consecutive messages of the agent are one turn.
 */
export function toNormalForm(
  messages: readonly RowMessage[],
  issues: RowIssues,
  { environmentSpeaks = false, isColumn = false, tools }: SourceForm = {},
): readonly RowMessage[] {
  const given = isColumn ? withoutNullArguments(messages, tools, issues) : messages;
  const agents = withoutUserCalls(given, issues);
  const { read, isText } = readWrittenCalls(agents, tools, issues);
  return joinTurns(environmentSpeaks || isText ? withEnvironment(read, issues) : read, issues);
}

function withoutUserCalls(
  messages: readonly RowMessage[],
  issues: RowIssues,
): readonly RowMessage[] {
  const isUsers = ({ role, calls, by }: RowMessage): boolean =>
    (role === "user" && calls.length > 0) || by === "user";
  if (!messages.some(isUsers)) return messages;
  const acts = messages.flatMap((message) =>
    toActs(message).map((act) => ({ ...act, isUsers: isUsers(message) })),
  );
  const partners = findPartners(acts);
  let at = 0;
  return messages.flatMap((message): RowMessage[] => {
    const partner = partners[at];
    at += toActs(message).length;
    const answersUser = partner !== undefined && acts[partner]?.isUsers === true;
    if (message.role === "tool" && (isUsers(message) || answersUser)) {
      issues.change("user-result");
      return [];
    }
    if (!isUsers(message)) return [message];
    issues.change("user-call", message.calls.length);
    return message.content === "" ? [] : [{ ...message, calls: [] }];
  });
}

interface ReadConversation {
  readonly read: readonly RowMessage[];
  /** Whether calls are written in texts and stay text. */
  readonly isText: boolean;
}

function readWrittenCalls(
  messages: readonly RowMessage[],
  tools: readonly ToolDefinition[] | undefined,
  issues: RowIssues,
): ReadConversation {
  const read: RowMessage[] = [];
  const changes = issues.createInner();
  let written = 0;
  let answered = 0;
  for (let at = 0; at < messages.length; ) {
    const message = messages[at];
    if (message === undefined) break;
    const isWritten =
      message.role === "assistant" && message.calls.length === 0 && mayHoldCalls(message.content);
    const turn = isWritten ? readWrittenTurn(message.content, tools) : undefined;
    const calling = turn === undefined ? message : toCalling(message, turn, changes);
    const whole = calling.calls.length > 0 ? findResults(messages, at + 1, calling) : undefined;
    const isLast = at === messages.length - 1;
    if (isWritten && whole === undefined && !(isLast && turn !== undefined)) {
      return { read: messages, isText: true };
    }
    if (isWritten) written += 1;
    if (isWritten && whole !== undefined) answered += 1;
    read.push(...(whole?.messages ?? [calling]));
    at = whole?.end ?? at + 1;
  }
  for (const each of read) if (isResultOfText(each, messages)) changes.change("written-result");
  // A call without a result may be a quotation, unless the agent called tools in this way before.
  if (written > 0 && answered === 0) return { read: messages, isText: false };
  issues.addCounts(changes);
  return { read, isText: false };
}

/** Tells whether a result was a user message, or between tags. */
function isResultOfText(read: RowMessage, messages: readonly RowMessage[]): boolean {
  return read.role === "tool" && !messages.includes(read);
}

/** The message with the calls that are written in it. */
function toCalling(
  message: RowMessage,
  { before, after, calls }: WrittenTurn,
  changes: RowIssues,
): RowMessage {
  changes.change("written-call", calls.length);
  if (after !== "") changes.warn("part-order", message.pointer);
  return {
    ...message,
    content: [before, after].filter((text) => text !== "").join("\n"),
    calls: calls.map((call) => ({ ...call, pointer: message.contentPointer })),
  };
}

/** A turn with its results, which end before the message at `end`. */
interface AnsweredTurn {
  readonly messages: readonly RowMessage[];
  readonly end: number;
}

/** Finds one result for every call of a turn in the messages after it. Undefined if there are more or fewer. */
function findResults(
  messages: readonly RowMessage[],
  start: number,
  turn: RowMessage,
): AnsweredTurn | undefined {
  const results: RowMessage[] = [];
  let end = start;
  for (; results.length < turn.calls.length; end += 1) {
    const message = messages[end];
    const read = message && readResults(message);
    if (read === undefined) return undefined;
    results.push(...read);
  }
  if (results.length > turn.calls.length || messages[end]?.role === "tool") return undefined;
  const calls = turn.calls.map((call, index) => ({
    ...call,
    id: call.id ?? results[index]?.callId,
  }));
  return { messages: [{ ...turn, calls }, ...results], end };
}

function readResults(message: RowMessage): readonly RowMessage[] | undefined {
  const { role, content } = message;
  if (role === "tool") {
    const texts = readToolResults(content);
    if (texts.length === 1 && texts[0] === content) return [message];
    return texts.map((text) => ({ ...message, content: text, output: text }));
  }
  if (role !== "user") return undefined;
  const texts = readUserResults(content);
  return texts?.map((text) => ({ ...message, role: "tool", content: text, output: text }));
}

/** Makes results that have no id, and for which no call is open, the environment's messages. */
function withEnvironment(
  messages: readonly RowMessage[],
  issues: RowIssues,
): readonly RowMessage[] {
  const acts = messages.flatMap(toActs);
  const partners = findPartners(acts);
  let at = 0;
  /** Number of calls whose results are still to come. */
  let open = 0;
  return messages.map((message) => {
    const isStray = message.role === "tool" && partners[at] === undefined;
    if (message.role === "tool" && !isStray) open -= 1;
    const own = toActs(message).length;
    const called = partners.slice(at, at + own);
    at += own;
    if (message.role !== "tool") open += called.filter((partner) => partner !== undefined).length;
    if (!isStray || open > 0 || message.callId !== undefined) return message;
    issues.change("environment-message");
    return { ...message, role: "user", name: undefined, by: "environment" };
  });
}

/** Joins consecutive messages of the agent, but not what it was given with what it wrote. */
function joinTurns(messages: readonly RowMessage[], issues: RowIssues): readonly RowMessage[] {
  const joined: RowMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSame = last?.role === "assistant" && last.given === message.given;
    if (last === undefined || !isSame || message.role !== "assistant") {
      joined.push(message);
      continue;
    }
    issues.change("joined-message");
    if (last.calls.length > 0 && message.content !== "") issues.warn("part-order", message.pointer);
    const content = joinTexts(last.content, message.content);
    joined[joined.length - 1] = {
      ...last,
      contentPointer: last.content === "" ? message.contentPointer : last.contentPointer,
      content,
      output: content,
      reasoning: joinTexts(last.reasoning, message.reasoning),
      calls: [...last.calls, ...message.calls],
      unplaced: [...(last.unplaced ?? []), ...(message.unplaced ?? [])],
    };
  }
  return joined;
}

function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}
