import { readField } from "../capture/snapshot.js";
import { asyncScope, findBranch, type MessageScope } from "./async-scope.js";
import type { Capture, RolloutCall } from "./capture.js";
import type { Outcome } from "./outcome.js";
import {
  createProxy,
  type Handler,
  isHandler,
  isThenable,
  markInstrumented,
  replaceMethod,
} from "./patch.js";

const METHOD = "handleMessage";

/**
 * Instruments a message service: plain replies are recorded for the runtime that it is called with. Returns
 * the service itself, or a proxy if it is frozen.
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
  return isHandler(original)
    ? createProxy(service, METHOD, markInstrumented(create(original)))
    : service;
}

/** Answers a message, and records a plain reply. */
function captureReply(capture: Capture, message: unknown, invoke: () => unknown): unknown {
  const { runtime } = capture;
  const [isAnswered, hasActed] = [false, false];
  const scope: MessageScope = { runtime, message, events: [], calls: 0, hasActed, isAnswered };
  // First, because the service may change the message and the character.
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
    result = asyncScope.run({ message: scope, branch: findBranch() }, invoke);
  } catch (error) {
    recordFailure(capture, { call, scope });
    throw error;
  }
  if (isThenable(result)) return settle(result);
  recordReply(capture, { call, scope, reply: findReply(result, scope) });
  return result;
}

interface AnsweredMessage {
  /** Undefined if the message has no text. */
  readonly call: RolloutCall | undefined;
  readonly scope: MessageScope;
}

/**
 * The text of a plain reply; empty if there is none. If the service does not name the mode, it was a plain reply
 * unless an action ran.
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
    const answer = reply.toWellFormed();
    capture.record(call, toOutcome(call, scope, { answer, verdict: undefined, threw: false }));
  }
}

/** A failure in an action is recorded with the action, so not here. */
function recordFailure(capture: Capture, { call, scope }: AnsweredMessage): void {
  if (scope.hasActed) return;
  if (call === undefined) {
    capture.skip("empty-task");
  } else {
    capture.record(call, toOutcome(call, scope, { answer: "", verdict: "fail", threw: true }));
  }
}

function toOutcome(
  { task, sessionId, context }: RolloutCall,
  scope: MessageScope,
  ending: Pick<Outcome, "answer" | "verdict" | "threw">,
): Outcome {
  return { task, sessionId, context: scope.context ?? context, events: scope.events, ...ending };
}
