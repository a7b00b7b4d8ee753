import fc from "fast-check";
import type { Message, RolloutBranchRecord, ToolDefinition } from "#generated/index.js";
import { runCount } from "../../../src/base/testing/run-count.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { TRAPS } from "./create-rollouts.js";

/** Two branches of a rollout, and the conversations that they record, written down before any export. */
export interface Source {
  readonly branches: readonly [RolloutBranchRecord, RolloutBranchRecord];
  /** The whole conversation of each branch: context, task and turns. */
  readonly conversations: readonly [Message[], Message[]];
  /** Number of messages that both share. The next one of each is the turn in which they part. */
  readonly shared: number;
  /** Number of messages up to the task. */
  readonly start: number;
  readonly tools: readonly ToolDefinition[] | undefined;
}

const SOURCES = runCount(44, 20);

/** Who wrote a marker: every text of a source contains one of its own, such as `RESULT17Z`. */
export type Marker = "SYSTEM" | "USER" | "RESULT" | "SAID" | "THOUGHT" | "ARGUMENT";

export const MARKER = /(?:SYSTEM|USER|RESULT|SAID|THOUGHT|ARGUMENT)[0-9]+Z/g;

/** All markers in a text, in order. */
export function findMarkers(text: string): string[] {
  return text.match(MARKER) ?? [];
}

/** Each has a parameter that the other lacks. */
const TOOLS: ToolDefinition[] = ["search", "get_order"].map((name) => ({
  type: "function",
  function: {
    name,
    description: `Calls "${name}" <once>.`,
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", description: "Text é", enum: ["x", "y"] },
        [`${name}_limit`]: { type: "integer", default: 0 },
      },
      required: ["query"],
    },
  },
}));

const trap = fc.constantFrom("", ...TRAPS);
const said = fc.record({ thinks: fc.boolean(), trap });
const one = fc.tuple(trap);
const several = fc.array(trap, { minLength: 2, maxLength: 3 });
const step = fc.record({ said, speaks: fc.boolean(), calls: fc.oneof(one, one, several) });
const steps = fc.array(step, { maxLength: 2 });
const round = fc.record({ steps, answer: said });
const plan = fc.record({
  system: fc.boolean(),
  place: fc.constantFrom("first", "first", "first", "first", "late", "developer"),
  /** Whether user and assistant spoke before the task. */
  history: fc.boolean(),
  tools: fc.boolean(),
  /** Answered questions after the task, which both branches share. */
  rounds: fc.array(round, { maxLength: 2 }),
  steps,
  chosen: round,
  rejected: round,
  /** Whether the other branch crashed: its last message is empty. */
  crashed: fc.boolean(),
  /** Whether arguments are recorded as JSON text, as most APIs return them. */
  asText: fc.boolean(),
});

type Said = { readonly thinks: boolean; readonly trap: string };
type Step = { readonly said: Said; readonly speaks: boolean; readonly calls: readonly string[] };
type Round = { readonly steps: readonly Step[]; readonly answer: Said };

/** Writes messages with markers that occur nowhere else. */
class Writer {
  #count = 0;

  mark(marker: Marker, trapped = ""): string {
    this.#count += 1;
    return `${trapped}${marker}${this.#count}Z${trapped}`;
  }

  answer({ thinks, trap: trapped }: Said): Message {
    const content = this.mark("SAID", trapped);
    return {
      role: "assistant",
      content,
      ...(thinks && { reasoning_content: this.mark("THOUGHT") }),
    };
  }

  /** An assistant turn of calls, and their results. */
  step({ said: { thinks, trap: trapped }, speaks, calls }: Step): Message[] {
    const made = calls.map((value, index) => ({
      id: `call_${this.#count}_${index}`,
      type: "function" as const,
      function: {
        name: index === 1 ? "get_order" : "search",
        arguments: {
          query: this.mark("ARGUMENT", value),
          limit: index,
          deep: { a: [null, value] },
        },
      },
    }));
    const turn = {
      role: "assistant" as const,
      content: speaks ? this.mark("SAID", trapped) : "",
      ...(thinks && { reasoning_content: this.mark("THOUGHT") }),
      tool_calls: made,
    };
    const results = made.map((call) => ({
      role: "tool" as const,
      content: this.mark("RESULT", trapped),
      tool_call_id: call.id,
      name: call.function.name,
    }));
    return [turn, ...results];
  }

  round({ steps: taken, answer }: Round): Message[] {
    return [...taken.flatMap((each) => this.step(each)), this.answer(answer)];
  }
}

/** Sources of every form, the same on every machine. */
export function createSources(): Source[] {
  return fc.sample(plan, { seed: 20_261_123, numRuns: SOURCES }).map((fields, index) => {
    const writer = new Writer();
    const user = (): Message => ({ role: "user", content: writer.mark("USER") });
    const history = fields.history ? [user(), writer.answer({ thinks: false, trap: "" })] : [];
    const system = (role: "system" | "developer"): Message[] =>
      fields.system ? [{ role, content: writer.mark("SYSTEM", "{{ x }}") }] : [];
    // Some templates know no developer, or no system prompt after other messages.
    const before = {
      first: () => [...system("system"), ...history],
      late: () => [...history, ...system("system")],
      developer: () => [...system("developer"), ...history],
    }[fields.place]();
    const task = user();
    const common = [
      ...fields.rounds.flatMap((each) => [...writer.round(each), user()]),
      ...fields.steps.flatMap((each) => writer.step(each)),
    ];
    const better = [...common, ...writer.round(fields.chosen)];
    const worse = [...common, ...writer.round(fields.rejected)];
    if (fields.crashed) worse.splice(-1, 1, { role: "assistant", content: "" });
    const tools = fields.tools ? TOOLS : undefined;
    const recorded = {
      rollout_id: `source-${index}`,
      task: task.content,
      context: { messages: before, ...(tools && { tools }) },
    };
    const toTurns = (turns: Message[]) => (fields.asText ? turns.map(withTextArguments) : turns);
    return {
      branches: [
        createBranch({ ...recorded, turns: toTurns(better), final_answer: lastText(better) }),
        createBranch({
          ...recorded,
          turns: toTurns(worse),
          final_answer: lastText(worse),
          branch_index: 1,
          objective_score: 0,
          rank: 2,
          total_score: 0.15,
        }),
      ],
      conversations: [
        [...before, task, ...better],
        [...before, task, ...worse],
      ],
      shared: before.length + 1 + common.length,
      start: before.length + 1,
      tools,
    };
  });
}

function withTextArguments({ tool_calls: calls, ...message }: Message): Message {
  if (calls === undefined) return message;
  const inText = calls.map((call) => ({
    ...call,
    function: { ...call.function, arguments: JSON.stringify(call.function.arguments) },
  }));
  return { ...message, tool_calls: inText };
}

function lastText(turns: readonly Message[]): string {
  return turns.at(-1)?.content ?? "";
}
