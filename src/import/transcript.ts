import {
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranch,
  type RolloutTraceStep,
  type ToolEvent,
  type ToolEventData,
} from "#generated/index.js";
import type { JsonObject } from "../json/value.js";
import { formatCount } from "../text.js";
import { ARGUMENT_KEYS, toArgs } from "./fields.js";
import type { ScoreFields } from "./scores.js";
import type { ImportedBranch, ImportFault, ImportSettings } from "./source.js";

/** Why a run is left out in which the agent did nothing that a branch could hold. */
export const NOTHING_SAID = "the agent gives no answer and calls no tool";

/** A call as a log has it. */
export interface LoggedCall {
  /** JSON Pointer into the row. */
  readonly pointer: string;
  readonly callId: string | undefined;
  readonly toolName: string;
  /** Parsed, or as JSON text; null for none, undefined when the log has no place for them that is known. */
  readonly args: unknown;
}

/** What a tool returned, as a log has it. */
export interface LoggedResult {
  readonly pointer: string;
  readonly callId: string | undefined;
  readonly toolName: string | undefined;
  readonly output: unknown;
  /** What went wrong in the tool; absent when nothing did. */
  readonly error?: unknown;
}

/** What of a transcript a branch holds. */
export interface BranchContent {
  readonly events: readonly ToolEvent[];
  /** Where in the row each event comes from. */
  readonly eventPointers: readonly string[];
  /** The last that the agent said; empty when it said nothing. */
  readonly finalAnswer: string;
  /** Of messages that have no place in a branch, of arguments and of an answer that are missing. */
  readonly warnings: readonly ImportFault[];
}

interface Said {
  readonly text: string;
  readonly pointer: string;
  /** Index of the event whose call came with it; undefined without calls. */
  readonly event: number | undefined;
}

/** Gathers what happened in a run, in order, as a branch tells it: tool events and a final answer. */
export class Transcript {
  readonly #events: ToolEvent[] = [];
  readonly #pointers: string[] = [];
  readonly #toolNames = new Map<string, string>();
  #said: Said | undefined;
  #turns = 0;
  readonly #unplaced: string[] = [];
  readonly #withoutArguments: string[] = [];

  /** The agent said something, called tools, or both. */
  addTurn(text: string, calls: readonly LoggedCall[], pointer: string): void {
    const first = calls.length > 0 ? this.#events.length : undefined;
    const batchId = `turn-${this.#turns}`;
    this.#turns += 1;
    for (const [index, { callId, toolName, args, pointer: at }] of calls.entries()) {
      if (args === undefined) this.#withoutArguments.push(at);
      if (callId !== undefined) this.#toolNames.set(callId, toolName);
      this.#add("tool_call", at, {
        toolName,
        args: toArgs(args) ?? {},
        ...(callId !== undefined && { callId }),
        batchId,
        ...(index === 0 && text !== "" && { text }),
      });
    }
    if (text.trim() === "") return;
    // What was said without a call, and was not the last word, has no place.
    if (this.#said !== undefined && this.#said.event === undefined) {
      this.addUnplaced(this.#said.pointer);
    }
    this.#said = { text, pointer, event: first };
  }

  addResult({ callId, toolName, output, error, pointer }: LoggedResult): void {
    const name = toolName ?? (callId === undefined ? undefined : this.#toolNames.get(callId));
    this.#add("tool_result", pointer, {
      ...(callId !== undefined && { callId }),
      ...(name !== undefined && { toolName: name }),
      output,
      ...(error !== undefined && { error }),
    });
  }

  /** Something was said that a branch has no place for: a second message of the user's, an image. */
  addUnplaced(pointer: string): void {
    this.#unplaced.push(pointer);
  }

  /** Whether the agent neither said anything nor called a tool. */
  get isEmpty(): boolean {
    return this.#said === undefined && this.#events.every(({ event }) => event !== "tool_call");
  }

  finish(): BranchContent {
    // The final answer is said once, not at its call too.
    const answered = this.#said?.event;
    const events = this.#events.map((event, index) =>
      index === answered ? withoutText(event) : event,
    );
    return {
      events,
      eventPointers: this.#pointers,
      finalAnswer: this.#said?.text ?? "",
      warnings: [...this.#findUnplaced(), ...this.#findWithoutArguments(), ...this.#findNoAnswer()],
    };
  }

  #add(event: "tool_call" | "tool_result", pointer: string, data: ToolEventData): void {
    this.#events.push({ event, channel: "tool", data });
    this.#pointers.push(pointer);
  }

  #findUnplaced(): ImportFault[] {
    const [pointer] = this.#unplaced;
    if (pointer === undefined) return [];
    const what = formatCount(this.#unplaced.length, "message");
    const message = `${what} left out: a branch has a task, tool events and a final answer, and no place for more`;
    return [{ id: "unplaced-message", pointer, message }];
  }

  #findWithoutArguments(): ImportFault[] {
    const [pointer] = this.#withoutArguments;
    if (pointer === undefined) return [];
    const count = this.#withoutArguments.length;
    const what = `${formatCount(count, "call")} ${count === 1 ? "has" : "have"} none of`;
    const message = `${what} ${ARGUMENT_KEYS.join(", ")}: read as called with nothing`;
    return [{ id: "no-arguments", pointer, message }];
  }

  #findNoAnswer(): ImportFault[] {
    const pointer = this.#pointers.at(-1);
    if (this.#said !== undefined || pointer === undefined) return [];
    const message = "the agent calls tools and says nothing: the final answer is empty";
    return [{ id: "no-answer", pointer, message }];
  }
}

function withoutText({ data: { text: _, ...data } = {}, ...event }: ToolEvent): ToolEvent {
  return { ...event, data };
}

/** Where a branch comes from, kept in it as `imported_from`. */
export interface Origin {
  /** Id of the source. */
  readonly source: string;
  /** The row but for its steps. */
  readonly record: JsonObject;
  /** What the system told the agent, where the log says it. */
  readonly system_prompt?: string;
}

/** What a source knows of a branch. */
export interface BranchParts {
  /** Without the prefix. */
  readonly rolloutId: string;
  readonly sessionId: string;
  readonly branchIndex: number;
  readonly task: string;
  readonly transcript: Transcript;
  /** Undefined unless traces are asked for. */
  readonly steps?: readonly RolloutTraceStep[] | undefined;
  readonly scores: ScoreFields;
  readonly origin: Origin;
  /** Pointers into the row of `task`, of `branch_index`, and of each of the `steps`. */
  readonly pointers: {
    readonly task: string;
    readonly branchIndex: string;
    readonly steps: readonly string[];
  };
  readonly warnings?: readonly ImportFault[];
  readonly skippedSteps?: number;
}

/** Makes a branch of its parts. */
export function toBranch(parts: BranchParts, settings: ImportSettings): ImportedBranch {
  const { events, eventPointers, finalAnswer, warnings } = parts.transcript.finish();
  const { idPrefix, temperature } = settings;
  const branch: RolloutBranch = {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: `${idPrefix}${parts.rolloutId}`,
    task: parts.task,
    branch_index: parts.branchIndex,
    temperature,
    session_id: parts.sessionId,
    tool_call_sequence: [...events],
    final_answer: finalAnswer,
    ...parts.scores,
    ...(parts.steps && { steps: [...parts.steps] }),
    imported_from: parts.origin,
  };
  return {
    kind: "branch",
    branch,
    warnings: [...(parts.warnings ?? []), ...warnings],
    skippedSteps: parts.skippedSteps ?? 0,
    toSourcePointer: (pointer) => toSourcePointer(pointer, parts.pointers, eventPointers),
  };
}

function toSourcePointer(
  pointer: string,
  pointers: BranchParts["pointers"],
  events: readonly string[],
): string {
  const [, field, index, ...below] = pointer.split("/");
  if (field === "task") return pointers.task;
  if (field === "branch_index") return pointers.branchIndex;
  if (field === "tool_call_sequence") return events[Number(index)] ?? "";
  if (field === "steps") return [pointers.steps[Number(index)] ?? "", ...below].join("/");
  return field === "imported_from" && index === "record" ? ["", ...below].join("/") : "";
}
