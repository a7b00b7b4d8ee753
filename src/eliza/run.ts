import { createRecorder } from "../capture/recorder.js";
import { createSnapshotRoom, readField, toSnapshot } from "../capture/snapshot.js";
import type { Outcome } from "./outcome.js";

/** An action that is about to run. */
export interface ActionCall {
  readonly action: string;
  readonly args: unknown;
  readonly task: string;
  readonly sessionId: string;
  /** By which the result names the call; the recorder's own unless given. */
  readonly callId?: string | undefined;
}

/** Watches one run of an action. It takes anything, throws nothing, and the first end is the end. */
export interface Run {
  /** Notes what the action tells the user. */
  readonly say: (content: unknown) => void;
  readonly succeed: (result: unknown) => Outcome;
  readonly fail: (error: unknown) => Outcome;
}

/**
 * A run of `call`, of which one tool call and one result are known: what happens in between is the
 * action's own.
 */
export function createRun({ action, args, task, sessionId, callId: given }: ActionCall): Run {
  const { recorder, events } = createRecorder(createSnapshotRoom(0.5));
  const callId = recorder.toolCall({ toolName: action, args, callId: given });
  const said: string[] = [];
  let ended: Outcome | undefined;

  const end = (output: unknown, error: unknown, answer: string, threw: boolean): Outcome => {
    const failed = error !== undefined;
    recorder.toolResult({ callId, toolName: action, output, ...(failed && { error }) });
    ended = {
      task,
      answer: String(toSnapshot(answer, createSnapshotRoom(0.5))),
      passed: !failed,
      threw,
      events: events(),
      sessionId,
    };
    return ended;
  };
  return {
    say(content) {
      const text = readField(content, "text");
      if (ended === undefined && typeof text === "string" && text !== "") said.push(text);
    },
    succeed: (result) => ended ?? end(result, findFailure(result), toAnswer(said, result), false),
    fail: (error) =>
      ended ?? end(said.length > 0 ? said.join("\n") : undefined, error ?? String(error), "", true),
  };
}

/** What the user was told; an action that tells nothing answers with the text of its result. */
function toAnswer(said: readonly string[], result: unknown): string {
  if (said.length > 0) return said.join("\n");
  const text = typeof result === "string" ? result : readField(result, "text");
  return typeof text === "string" ? text : "";
}

/** What a result says that went wrong; undefined when it reports no failure. */
function findFailure(result: unknown): unknown {
  if (result === false) return "the action returned false";
  const success = readField(result, "success");
  const error = readField(result, "error") ?? undefined;
  if (success !== false) return success === undefined ? error : undefined;
  return error ?? (readField(result, "text") || "the action did not succeed");
}

/** What the runtime adds to the options of every action. */
const OF_THE_RUNTIME = new Set(["actionContext", "actionPlan", "onStreamChunk"]);

/**
 * What an action was called with: the parameters that the model chose (`state.data.actionParams`), under the
 * options that the caller gave. The runtime's own part of the options is left out, as is the rest of the
 * state. A value of its own; it shares what the fields hold.
 */
export function findActionArguments(state: unknown, options: unknown): object {
  const chosen = readField(readField(state, "data"), "actionParams");
  const given = listFields(options).filter(([key]) => !OF_THE_RUNTIME.has(key));
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
