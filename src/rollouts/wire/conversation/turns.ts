import type { ToolEvent } from "#generated/index.js";
import { readToolEvents, type ToolCall, type ToolResult } from "./events.js";
import { type PairedAct, type PairedCall, pairResults } from "./pairing.js";

/** One turn of the agent before its final answer: the calls it issued together. */
export interface Turn {
  /** The calls, in order. Empty only in the first turn, if results arrived before any call. */
  readonly calls: readonly PairedCall[];
  /** Results without a call that arrived before the next turn. */
  readonly strayResults: readonly ToolResult[];
  /** Whether a result with an error had arrived before the turn began. */
  readonly followsError: boolean;
}

/** The tool events of a branch as a conversation. */
export interface EventReading {
  readonly turns: readonly Turn[];
  /** Indices of events that are neither calls nor results, so that no turn contains them. */
  readonly unreadable: readonly number[];
}

/**
 * Groups the calls of a branch into turns. A call belongs to the latest turn if both have the same `batchId`,
 * even with results between them, because runtimes may interleave parallel calls. Calls without a `batchId`
 * belong together until a result arrives. If a `batchId` reappears after another turn, it begins a new one.
 */
export function readEvents(events: readonly ToolEvent[]): EventReading {
  const { acts, unreadable } = readToolEvents(events);
  return { turns: groupTurns(pairResults(acts)), unreadable };
}

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
