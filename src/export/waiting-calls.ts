import type { ToolCall, ToolResult } from "./read-tool-events.js";

/** Calls that wait for their results; each operation is constant in their number, on average. */
export class WaitingCalls {
  readonly #all: ToolCall[] = [];
  readonly #byName = new Map<string, ToolCall[]>();
  readonly #taken = new Set<ToolCall>();
  /** How many calls at the start of each queue are taken. */
  readonly #heads = new Map<readonly ToolCall[], number>();

  /** Calls are added in the order of their ordinals. */
  add(call: ToolCall): void {
    this.#all.push(call);
    const named = this.#byName.get(call.name) ?? [];
    named.push(call);
    this.#byName.set(call.name, named);
  }

  /** The earliest call that waits; undefined when none does. */
  first(): ToolCall | undefined {
    return this.#firstOf(this.#all);
  }

  /** The earliest call that does not name another tool than the result does. */
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
