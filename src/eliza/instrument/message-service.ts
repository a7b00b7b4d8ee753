import { readField } from "../../capture/snapshot.js";
import { callScope, findBranch, type MessageScope } from "../async-scope.js";
import type { Capture, RolloutCall } from "../capture.js";
import { createView, type Handler, isHandler, isThenable, mark, replaceMethod } from "./patch.js";

const METHOD = "handleMessage";

/**
 * A message service of which the plain replies are recorded, for the runtime that it is called with: the
 * service itself, or what stands for it where it is frozen.
 */
export function instrumentMessageService(
  service: unknown,
  captureOf: (runtime: unknown) => Capture | undefined,
): unknown {
  if (typeof service !== "object" || service === null) return service;
  const create = (original: Handler): Handler =>
    function (...args) {
      const invoke = (): unknown => Reflect.apply(original, this, args);
      const capture = captureOf(args[0]);
      return capture?.recordsReplies ? captureReply(capture, args[1], invoke) : invoke();
    };
  if (replaceMethod(service, METHOD, create)) return service;
  const original = readField(service, METHOD);
  return isHandler(original) ? createView(service, METHOD, mark(create(original))) : service;
}

/** Answers a message, and records the reply that no action gave. */
function captureReply(capture: Capture, message: unknown, invoke: () => unknown): unknown {
  const scope: MessageScope = { events: [], calls: 0, hasActed: false };
  // Before the service sees the message, and may change it.
  const call = capture.readReply(message);
  const settle = async (result: PromiseLike<unknown>): Promise<unknown> => {
    try {
      const value = await result;
      recordReply(capture, { call, scope, reply: findReply(value, scope) });
      return value;
    } catch (error) {
      recordFailure(capture, { call, scope });
      throw error;
    }
  };
  let result: unknown;
  try {
    result = callScope.run({ message: scope, branch: findBranch() }, invoke);
  } catch (error) {
    recordFailure(capture, { call, scope });
    throw error;
  }
  if (isThenable(result)) return settle(result);
  recordReply(capture, { call, scope, reply: findReply(result, scope) });
  return result;
}

interface AnsweredMessage {
  /** Undefined when the message has no text. */
  readonly call: RolloutCall | undefined;
  readonly scope: MessageScope;
}

/**
 * The text of a plain reply, empty when there is none. A service that does not tell the mode has replied
 * plainly when no action ran.
 */
function findReply(result: unknown, { hasActed }: MessageScope): string {
  const mode = readField(result, "mode") ?? (hasActed ? "actions" : "simple");
  const isReply = mode === "simple" && readField(result, "didRespond") !== false;
  const text = readField(readField(result, "responseContent"), "text");
  return isReply && typeof text === "string" ? text : "";
}

function recordReply(
  capture: Capture,
  { call, scope, reply }: AnsweredMessage & { readonly reply: string },
): void {
  if (reply === "") {
    if (!scope.hasActed) capture.skip("no-reply");
  } else if (call === undefined) {
    capture.skip("empty-task");
  } else {
    const { task, sessionId } = call;
    const answer = reply.toWellFormed();
    const { events } = scope;
    capture.record(call, { task, sessionId, answer, events, passed: true, threw: false });
  }
}

/** What fails in an action is recorded with the action. */
function recordFailure(capture: Capture, { call, scope }: AnsweredMessage): void {
  if (scope.hasActed) return;
  if (call === undefined) {
    capture.skip("empty-task");
  } else {
    const { task, sessionId } = call;
    const { events } = scope;
    capture.record(call, { task, sessionId, answer: "", events, passed: false, threw: true });
  }
}
