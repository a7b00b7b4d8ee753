import type { LossWeightLabel, RolloutBranch, ToolEvent } from "#generated/index.js";
import { readToolEvents, type ToolCall, type ToolResult } from "./events.js";
import { type PairedAct, type PairedCall, pairResults } from "./pairing.js";

/**
 * Label by which a trainer weighs the tokens of a conversation: the highest of its turns' labels
 * (`training-record#/$defs/LossWeightLabel`).
 *
 * - `recovery`: a turn follows a tool result with an error. Turns are the batches of calls and the
 *   final answer, unless that is empty: then the branch crashed, and nothing followed the error.
 * - `state_summary`: a call carries non-empty assistant text.
 * - `default`: neither.
 */
export function lossWeightLabel(branch: RolloutBranch): LossWeightLabel {
  const turns = readTurns(branch.tool_call_sequence);
  const answered = branch.final_answer !== "";
  if (turns.some((turn) => turn.followsError || (answered && hasError(turn)))) return "recovery";
  return turns.some(hasText) ? "state_summary" : "default";
}

function hasError({ calls, strayResults }: Turn): boolean {
  const results = [...calls.map(({ result }) => result), ...strayResults];
  return results.some((result) => result?.error !== undefined);
}

function hasText({ calls }: Turn): boolean {
  return calls.some(({ call }) => call.text !== "");
}

const memories: { clear(): void }[] = [];
let isBuilding = false;

/**
 * A function that is called once for each argument while a rollout is built, however many of its records
 * need the result, and otherwise every time: nobody may change what it takes or gives meanwhile.
 */
export function oncePerRollout<Argument extends object, Result extends object>(
  make: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  memories.push(known);
  return (argument) => {
    if (!isBuilding) return make(argument);
    const result = known.get(argument) ?? make(argument);
    known.set(argument, result);
    return result;
  };
}

/** Calls `build`, which builds a rollout, and forgets what was kept for it. */
export function buildingRollout<Result>(build: () => Result): Result {
  isBuilding = true;
  try {
    return build();
  } finally {
    isBuilding = false;
    for (const memory of memories) memory.clear();
  }
}

/** One turn of the agent before its final answer: the calls that it issued together. */
export interface Turn {
  /** The calls, in order. Empty only in the first turn, when results arrived before any call. */
  readonly calls: readonly PairedCall[];
  /** Results without a call that arrived before the next turn. */
  readonly strayResults: readonly ToolResult[];
  /** Whether a result with an error had arrived when the turn began. */
  readonly followsError: boolean;
}

/** The tool events of a branch as a conversation. */
export interface EventReading {
  readonly turns: readonly Turn[];
  /** Indices of the events that are neither a call nor a result, and so are in no turn. */
  readonly unreadable: readonly number[];
}

/**
 * Groups the calls of a branch into turns. A call belongs to the latest turn when both carry the
 * same `batchId`, also with results between them, because runtimes emit parallel calls interleaved;
 * calls without one belong together while no result came between. A `batchId` that returns after
 * another turn begins a new one.
 */
export function readTurns(events: readonly ToolEvent[]): readonly Turn[] {
  return readEvents(events).turns;
}

/** The turns, and what is left out of them. */
export const readEvents = oncePerRollout((events: readonly ToolEvent[]): EventReading => {
  const { acts, unreadable } = readToolEvents(events);
  return { turns: groupTurns(pairResults(acts)), unreadable };
});

interface OpenTurn {
  readonly calls: PairedCall[];
  readonly strayResults: ToolResult[];
  readonly followsError: boolean;
}

function groupTurns(acts: readonly PairedAct[]): Turn[] {
  const turns: OpenTurn[] = [];
  let errorSeen = false;
  let resultSinceCall = false;

  const openTurn = (): OpenTurn => {
    const turn = { calls: [], strayResults: [], followsError: errorSeen };
    turns.push(turn);
    return turn;
  };

  for (const act of acts) {
    const latest = turns.at(-1);
    if (act.kind === "call") {
      const turn = latest && joins(act.call, latest, resultSinceCall) ? latest : openTurn();
      turn.calls.push(act);
      resultSinceCall = false;
    } else {
      const turn = latest ?? openTurn();
      if (!act.paired) turn.strayResults.push(act.result);
      errorSeen ||= act.result.error !== undefined;
      resultSinceCall = true;
    }
  }
  return turns;
}

function joins(call: ToolCall, turn: OpenTurn, resultSinceCall: boolean): boolean {
  const previous = turn.calls.at(-1)?.call;
  if (previous === undefined || previous.batchId !== call.batchId) return false;
  return call.batchId !== undefined || !resultSinceCall;
}
