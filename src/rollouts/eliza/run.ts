import type { ModelContext } from "#generated/index.js";
import { createRecorder } from "../capture/recorder.js";
import { createSnapshotRoom, readField, toSnapshot } from "../capture/snapshot.js";
import type { Outcome } from "./outcome.js";

/** An action that is about to run. */
export interface ActionCall {
  readonly action: string;
  readonly args: unknown;
  readonly task: string;
  readonly sessionId: string;
  /** What the model was given before it chose the action. */
  readonly context: ModelContext;
  /** The id by which the result names the call. Default: the recorder's. */
  readonly callId?: string | undefined;
}

/** Records one run of an action. Accepts anything, never throws, and only the first end counts. */
export interface Run {
  /** Records what the action tells the user. */
  readonly say: (content: unknown) => void;
  readonly succeed: (result: unknown) => Outcome;
  readonly fail: (error: unknown) => Outcome;
}

/** Shares of a record's budget; the context has the rest. */
const [EVENTS_SHARE, ANSWER_SHARE] = [0.4, 0.4];

/**
 * Starts the record of a run of `call`: one tool call and one result. What happens in between is not visible.
 */
export function createRun(call: ActionCall): Run {
  const { action, args, task, sessionId, context, callId: given } = call;
  const { recorder, events } = createRecorder(createSnapshotRoom(EVENTS_SHARE));
  const callId = recorder.toolCall({ toolName: action, args, callId: given });
  const said: string[] = [];
  let ended: Outcome | undefined;

  const end = (output: unknown, error: unknown, ending: Ending): Outcome => {
    const hasError = error !== undefined;
    recorder.toolResult({ callId, toolName: action, output, ...(hasError && { error }) });
    const answer = String(toSnapshot(ending.answer, createSnapshotRoom(ANSWER_SHARE)));
    ended = { task, sessionId, context, events: events(), ...ending, answer };
    return ended;
  };
  return {
    say(content) {
      const text = readField(content, "text");
      if (ended === undefined && typeof text === "string" && text !== "") said.push(text);
    },
    succeed(result) {
      const error = findFailure(result);
      const verdict = error === undefined ? findSuccess(result) : "fail";
      return ended ?? end(result, error, { answer: toAnswer(said, result), verdict, threw: false });
    },
    fail(error) {
      const output = said.length > 0 ? said.join("\n") : undefined;
      const ending: Ending = { answer: "", verdict: "fail", threw: true };
      return ended ?? end(output, error ?? String(error), ending);
    },
  };
}

type Ending = Pick<Outcome, "answer" | "verdict" | "threw">;

/** What the user was told; for an action that told nothing, the text of its result. */
function toAnswer(said: readonly string[], result: unknown): string {
  if (said.length > 0) return said.join("\n");
  const text = typeof result === "string" ? result : readField(result, "text");
  return typeof text === "string" ? text : "";
}

/** The failure that a result reports; undefined if it reports none. */
function findFailure(result: unknown): unknown {
  if (result === false) return "the action returned false";
  const success = readField(result, "success");
  const error = readField(result, "error") ?? undefined;
  if (success !== false) return success === undefined ? error : undefined;
  return error ?? (readField(result, "text") || "the action did not succeed");
}

/** Whether a result reports a success; undefined if it reports nothing. */
function findSuccess(result: unknown): "pass" | undefined {
  return result === true || readField(result, "success") === true ? "pass" : undefined;
}

/** Options that the runtime adds for every action. */
const RUNTIME_OPTIONS = new Set(["actionContext", "actionPlan", "onStreamChunk"]);

/**
 * The arguments of an action: the parameters that the model chose (`state.data.actionParams`), overridden by the
 * options of the call. The runtime's own options and the rest of the state are left out. A shallow copy.
 */
export function findActionArguments(state: unknown, options: unknown): object {
  const chosen = readField(readField(state, "data"), "actionParams");
  const given = listFields(options).filter(([key]) => !RUNTIME_OPTIONS.has(key));
  return Object.fromEntries([...listFields(chosen), ...given]);
}

function listFields(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  try {
    return Object.keys(value).map((key) => [key, readField(value, key)]);
  } catch {
    return [];
  }
}
