import type { ToolAct, ToolCall, ToolResult } from "./events.js";

/** A call, as far as pairing reads it. */
interface Call {
  readonly kind: "call";
  readonly id: string | undefined;
  /** "" if it is unknown. */
  readonly name: string;
}

/** A result, as far as pairing reads it. */
interface Result {
  readonly kind: "result";
  readonly callId: string | undefined;
  readonly name: string | undefined;
  /** The call before it, if one event contained both. */
  readonly answers?: object | undefined;
}

/** A call or a result: of an event, or of a message. */
export type Act = Call | Result;

/** For each act the index of its partner. Undefined for a call without a result, and a result without a call. */
export type Partners = readonly (number | undefined)[];

/**
 * Pairs each result with the call it answers. A result never answers a later call. Everything that needs to know
 * which result belongs to which call asks this function; only the scan of lines repeats its simplest case, in
 * `src/rollouts/wire/scan/assembly/pairing.ts`.
 *
 * The most reliable evidence is used first:
 *
 * 1. A result that shares an event with a call answers that call.
 * 2. A result with a `callId` answers the earliest unpaired call with that id (runtimes repeat ids), preferably
 *    of the same tool.
 * 3. The rest is paired in order: a result without a `callId` answers the earliest unpaired call; a result with
 *    an unknown `callId` answers the earliest unpaired call without an id. If both name their tool, the names
 *    must agree.
 */
export function findPartners(acts: readonly Act[]): Partners {
  return pairUniqueIds(acts) ?? pairByEvidence(acts);
}

/** The results that answer no call. */
export function findStrayResults<A extends Act>(acts: readonly A[]): A[] {
  if (pairUniqueIds(acts) !== undefined) return [];
  const partners = pairByEvidence(acts);
  return acts.filter((act, index) => act.kind === "result" && partners[index] === undefined);
}

/**
 * The id of each act that is a call: its own or `call_<n>`, where n is its ordinal among the calls from 0. If that id
 * occurs elsewhere among the acts, it is `call_<n>_<k>` with the smallest free k from 1.
 */
export function nameCalls(acts: readonly Act[]): (string | undefined)[] {
  const captured = new Set(acts.map(capturedId));
  let calls = 0;
  return acts.map((act) => {
    if (act.kind === "result") return undefined;
    const ordinal = calls;
    calls += 1;
    return act.id ?? freeId(ordinal, captured);
  });
}

/** A call with the id that is used in its messages. */
export interface PairedCall {
  readonly kind: "call";
  /** Captured or generated id; not empty. */
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

/** The acts of a branch, each once and at its position, with their partners and ids. */
export function pairResults(acts: readonly ToolAct[]): PairedAct[] {
  const partners = findPartners(acts);
  const ids = acts.some(lacksId) ? nameCalls(acts) : [];
  const paired: PairedAct[] = [];
  for (const act of acts) {
    const index = paired.length;
    const at = partners[index];
    if (act.kind === "result")
      paired.push({ kind: "result", result: act, paired: at !== undefined });
    else {
      const partner = at === undefined ? undefined : acts[at];
      const result = partner?.kind === "result" ? partner : undefined;
      paired.push({ kind: "call", id: act.id ?? ids[index] ?? "", call: act, result });
    }
  }
  return paired;
}

/** Fast path: undefined unless each act is a call with an id or the only answer to an earlier call. */
function pairUniqueIds(acts: readonly Act[]): Partners | undefined {
  const waiting = new Map<string, number>();
  const partners: (number | undefined)[] = [];
  for (const act of acts) {
    const id = capturedId(act);
    if (id === undefined) return undefined;
    const call = waiting.get(id);
    if ((act.kind === "call") === (call !== undefined)) return undefined;
    if (call === undefined) waiting.set(id, partners.length);
    else {
      waiting.delete(id);
      partners[call] = partners.length;
    }
    partners.push(call);
  }
  return partners;
}

function pairByEvidence(acts: readonly Act[]): Partners {
  const partners: (number | undefined)[] = acts.map(() => undefined);
  const pair = (call: number | undefined, result: number): void => {
    if (call === undefined) return;
    partners[call] = result;
    partners[result] = call;
  };

  for (const [index, act] of acts.entries()) {
    if (act.kind === "result" && act.answers !== undefined) pair(index - 1, index);
  }

  const byId = new Map<string, WaitingCalls>();
  for (const [index, act] of acts.entries()) {
    const id = capturedId(act);
    if (id === undefined || partners[index] !== undefined) continue;
    const calls = byId.get(id) ?? new WaitingCalls(partners);
    byId.set(id, calls);
    if (act.kind === "call") calls.add(index, act.name);
    else pair(calls.firstAgreeing(act.name) ?? calls.first(), index);
  }

  const idsOfCalls = new Set(acts.map((act) => (act.kind === "call" ? act.id : undefined)));
  const withId = new WaitingCalls(partners);
  const withoutId = new WaitingCalls(partners);
  for (const [index, act] of acts.entries()) {
    if (partners[index] !== undefined) continue;
    if (act.kind === "call") (act.id === undefined ? withoutId : withId).add(index, act.name);
    else if (act.callId === undefined) {
      pair(earlier(withId.firstAgreeing(act.name), withoutId.firstAgreeing(act.name)), index);
    } else if (!idsOfCalls.has(act.callId)) pair(withoutId.firstAgreeing(act.name), index);
  }
  return partners;
}

function capturedId(act: Act): string | undefined {
  return act.kind === "call" ? act.id : act.callId;
}

function lacksId(act: Act): boolean {
  return act.kind === "call" && act.id === undefined;
}

function freeId(ordinal: number, captured: ReadonlySet<string | undefined>): string {
  const plain = `call_${ordinal}`;
  let id = plain;
  for (let k = 1; captured.has(id); k += 1) id = `${plain}_${k}`;
  return id;
}

/** Indices of calls in order. Those before `head` have a partner. */
interface Queue {
  readonly calls: number[];
  head: number;
}

/** Calls in order, of which those without a partner wait. Every operation takes constant time on average. */
class WaitingCalls {
  readonly #partners: Partners;
  readonly #all: Queue = { calls: [], head: 0 };
  readonly #byName = new Map<string, Queue>();

  constructor(partners: Partners) {
    this.#partners = partners;
  }

  add(call: number, name: string): void {
    this.#all.calls.push(call);
    const named = this.#byName.get(name) ?? { calls: [], head: 0 };
    named.calls.push(call);
    this.#byName.set(name, named);
  }

  /** The earliest waiting call; undefined if there is none. */
  first(): number | undefined {
    return this.#firstOf(this.#all);
  }

  /** The earliest waiting call whose name does not contradict that of a result. */
  firstAgreeing(name: string | undefined): number | undefined {
    if (name === undefined) return this.first();
    return earlier(this.#firstOf(this.#byName.get(name)), this.#firstOf(this.#byName.get("")));
  }

  #firstOf(queue: Queue | undefined): number | undefined {
    if (queue === undefined) return undefined;
    for (;;) {
      const call = queue.calls[queue.head];
      if (call === undefined || this.#partners[call] === undefined) return call;
      queue.head += 1;
    }
  }
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
