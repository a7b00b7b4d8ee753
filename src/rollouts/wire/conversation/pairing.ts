import type { ToolAct, ToolCall, ToolResult } from "./events.js";

/** A call with the id that is used in its messages. */
export interface PairedCall {
  readonly kind: "call";
  /** Captured id, or `call_<n>`; not empty. */
  readonly id: string;
  readonly call: ToolCall;
  /** Undefined if the branch ended (crashed) before the tool returned. */
  readonly result: ToolResult | undefined;
}

/** A result, at its position among the acts. */
interface PairedResult {
  readonly kind: "result";
  readonly result: ToolResult;
  /** False if it answers no call of the branch. */
  readonly paired: boolean;
}

export type PairedAct = PairedCall | PairedResult;

/**
 * Pairs each result with the call it answers, and gives an id to each call without one. Every act is returned
 * once, at its position. A result never answers a later call.
 *
 * The most reliable evidence is used first:
 *
 * 1. A result that shares an event with a call answers that call.
 * 2. A result with a `callId` answers the earliest unpaired call with that id (runtimes repeat ids), preferably
 *    of the same tool.
 * 3. The rest is paired in order: a result without a `callId` answers the earliest unpaired call; a result with
 *    an unknown `callId` answers the earliest unpaired call without an id. If both name their tool, the names
 *    must agree.
 *
 * A call without an id gets `call_<n>`, where n is its ordinal in the branch. If that id was captured elsewhere
 * in the branch, it gets `call_<n>_<k>` with the smallest free k from 1.
 */
export function pairResults(acts: readonly ToolAct[]): PairedAct[] {
  const simple = pairUniqueIds(acts);
  if (simple !== undefined) return simple;
  const pairs = new Pairs();
  pairBySharedEvent(acts, pairs);
  pairById(acts, pairs);
  pairInOrder(acts, pairs);
  const captured = new Set(acts.map(capturedId));
  return acts.map((act) =>
    act.kind === "call"
      ? {
          kind: "call",
          id: act.id ?? freeId(act.ordinal, captured),
          call: act,
          result: pairs.resultOf(act),
        }
      : { kind: "result", result: act, paired: pairs.hasResult(act) },
  );
}

/** Fast path: undefined unless each act is a call with an id or the only answer to an earlier call. */
function pairUniqueIds(acts: readonly ToolAct[]): PairedAct[] | undefined {
  const waiting = new Map<string, { readonly at: number; readonly call: ToolCall }>();
  const paired: PairedAct[] = [];
  for (const act of acts) {
    const id = capturedId(act);
    if (id === undefined) return undefined;
    const asked = waiting.get(id);
    if (act.kind === "call") {
      if (asked !== undefined) return undefined;
      waiting.set(id, { at: paired.length, call: act });
      paired.push({ kind: "call", id, call: act, result: undefined });
    } else {
      if (asked === undefined) return undefined;
      waiting.delete(id);
      paired[asked.at] = { kind: "call", id, call: asked.call, result: act };
      paired.push({ kind: "result", result: act, paired: true });
    }
  }
  return paired;
}

class Pairs {
  readonly #results = new Map<ToolCall, ToolResult>();
  readonly #paired = new Set<ToolResult>();

  add(call: ToolCall, result: ToolResult): void {
    this.#results.set(call, result);
    this.#paired.add(result);
  }

  resultOf(call: ToolCall): ToolResult | undefined {
    return this.#results.get(call);
  }

  hasResult(result: ToolResult): boolean {
    return this.#paired.has(result);
  }

  /** Tells whether the act has no partner yet. */
  isOpen(act: ToolAct): boolean {
    return act.kind === "call" ? !this.#results.has(act) : !this.#paired.has(act);
  }
}

function pairBySharedEvent(acts: readonly ToolAct[], pairs: Pairs): void {
  for (const act of acts) {
    if (act.kind === "result" && act.answers !== undefined) pairs.add(act.answers, act);
  }
}

function pairById(acts: readonly ToolAct[], pairs: Pairs): void {
  const waiting = new Map<string, WaitingCalls>();
  for (const act of acts) {
    const id = capturedId(act);
    if (id === undefined || !pairs.isOpen(act)) continue;
    const calls = waiting.get(id) ?? new WaitingCalls();
    waiting.set(id, calls);
    if (act.kind === "call") calls.add(act);
    else answer(calls.firstAgreeing(act) ?? calls.first(), act, [calls], pairs);
  }
}

function pairInOrder(acts: readonly ToolAct[], pairs: Pairs): void {
  const idsOfCalls = new Set(acts.filter((act) => act.kind === "call").map(({ id }) => id));
  const withId = new WaitingCalls();
  const withoutId = new WaitingCalls();
  for (const act of acts) {
    if (!pairs.isOpen(act)) continue;
    if (act.kind === "call") {
      (act.id === undefined ? withoutId : withId).add(act);
    } else if (act.callId === undefined) {
      const call = earlier(withId.firstAgreeing(act), withoutId.firstAgreeing(act));
      answer(call, act, [withId, withoutId], pairs);
    } else if (!idsOfCalls.has(act.callId)) {
      answer(withoutId.firstAgreeing(act), act, [withoutId], pairs);
    }
  }
}

function answer(
  call: ToolCall | undefined,
  result: ToolResult,
  waiting: readonly WaitingCalls[],
  pairs: Pairs,
): void {
  if (call === undefined) return;
  pairs.add(call, result);
  for (const calls of waiting) calls.take(call);
}

function capturedId(act: ToolAct): string | undefined {
  return act.kind === "call" ? act.id : act.callId;
}

function freeId(ordinal: number, captured: ReadonlySet<string | undefined>): string {
  const plain = `call_${ordinal}`;
  let id = plain;
  for (let k = 1; captured.has(id); k += 1) id = `${plain}_${k}`;
  return id;
}

/** Calls that wait for their results. Every operation takes constant time on average. */
export class WaitingCalls {
  readonly #all: ToolCall[] = [];
  readonly #byName = new Map<string, ToolCall[]>();
  readonly #taken = new Set<ToolCall>();
  /** Number of calls removed from the start of each queue. */
  readonly #heads = new Map<readonly ToolCall[], number>();

  /** Calls must be added in the order of their ordinals. */
  add(call: ToolCall): void {
    this.#all.push(call);
    const named = this.#byName.get(call.name) ?? [];
    named.push(call);
    this.#byName.set(call.name, named);
  }

  /** The earliest waiting call; undefined if there is none. */
  first(): ToolCall | undefined {
    return this.#firstOf(this.#all);
  }

  /** The earliest call whose tool name does not contradict that of the result. */
  firstAgreeing({ name }: ToolResult): ToolCall | undefined {
    if (name === undefined) return this.first();
    return earlier(this.#firstOf(this.#byName.get(name)), this.#firstOf(this.#byName.get("")));
  }

  take(call: ToolCall): void {
    this.#taken.add(call);
  }

  #firstOf(queue: readonly ToolCall[] | undefined): ToolCall | undefined {
    if (queue === undefined) return undefined;
    let head = this.#heads.get(queue) ?? 0;
    for (let call = queue[head]; call !== undefined && this.#taken.has(call); call = queue[head]) {
      head += 1;
    }
    this.#heads.set(queue, head);
    return queue[head];
  }
}

/** The one of two calls that was made first. */
export function earlier(a: ToolCall | undefined, b: ToolCall | undefined): ToolCall | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.ordinal < b.ordinal ? a : b;
}
