import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { runCount } from "../../../base/testing/run-count.js";
import { exportRollouts } from "../export/export-rollouts.js";
import { rolloutArbitrary } from "../export/testing/rollout-arbitrary.js";
import { checkRow } from "./check-row.js";
import type { PreflightId } from "./purposes.js";
import { callMessage, result, TOOLS } from "./testing/rows.js";

interface Mutation {
  readonly finds: PreflightId;
  /** Undefined if the row has nothing to break in this way. */
  apply(row: JsonObject, at: number): JsonObject | undefined;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Changes one of the messages of a column that pass a test. */
function changing(
  column: string,
  change: (message: JsonObject) => unknown,
  isFit: (message: JsonObject) => boolean = () => true,
): Mutation["apply"] {
  return (row, at) => {
    const messages = list(row[column]);
    const fitting = messages.flatMap((message, index) =>
      isJsonObject(message) && isFit(message) ? [{ message, index }] : [],
    );
    const chosen = fitting[at % Math.max(1, fitting.length)];
    if (chosen === undefined) return undefined;
    return { ...row, [column]: messages.with(chosen.index, change(chosen.message)) };
  };
}

const calls = (message: JsonObject): boolean => list(message.tool_calls).length > 0;
const withCalls = (change: (call: JsonObject) => unknown) => (message: JsonObject) => ({
  ...message,
  tool_calls: list(message.tool_calls).map((call) => isJsonObject(call) && change(call)),
});

/** The kinds of fault that a row for TRL may have. */
const mutations: Readonly<Record<string, Mutation>> = {
  "a lost column": { finds: "missing-column", apply: ({ rejected: _, ...row }) => row },
  "a misspelt column": {
    finds: "ignored-column",
    apply: ({ prompt, ...row }) => ({ ...row, promt: prompt }),
  },
  "a prompt as a number": { finds: "column-type", apply: (row) => ({ ...row, prompt: 1 }) },
  "a prompt as text": { finds: "mixed-rows", apply: (row) => ({ ...row, prompt: "hi" }) },
  "equal sides": { finds: "equal-sides", apply: (row) => ({ ...row, rejected: row.chosen }) },
  "an empty answer": {
    finds: "empty-completion",
    apply: changing("chosen", () => ({ role: "assistant", content: " " })),
  },
  "no message": { finds: "empty-completion", apply: (row) => ({ ...row, chosen: [] }) },
  "an unknown role": {
    finds: "message-role",
    apply: changing("prompt", (message) => ({ ...message, role: "human" })),
  },
  "content of parts": {
    finds: "message-content",
    apply: changing("prompt", (message) => ({ ...message, content: [] })),
  },
  "lost content": {
    finds: "message-content",
    apply: changing(
      "prompt",
      ({ content: _, ...message }) => message,
      (message) => !calls(message),
    ),
  },
  "an answer in the prompt's end": {
    finds: "turn-order",
    apply: (row) => ({
      ...row,
      prompt: [...list(row.prompt), { role: "assistant", content: "x" }],
    }),
  },
  "a user's turn as answer": {
    finds: "turn-order",
    apply: (row) => ({ ...row, chosen: [{ role: "user", content: "x" }, ...list(row.chosen)] }),
  },
  "a result without a call": {
    finds: "stray-result",
    apply: (row) => ({
      ...row,
      prompt: [
        ...list(row.prompt),
        { role: "user", content: "x" },
        { role: "tool", content: "x", tool_call_id: "none" },
      ],
    }),
  },
  "a call without its result": {
    finds: "unanswered-call",
    apply: (row) => {
      const prompt = list(row.prompt);
      const index = prompt.findIndex((message) => isJsonObject(message) && message.role === "tool");
      return index < 0
        ? undefined
        : { ...row, prompt: [...prompt.toSpliced(index, 1), { role: "user", content: "x" }] };
    },
  },
  "arguments as text": {
    finds: "call-arguments",
    apply: changing(
      "prompt",
      withCalls((call) => ({ ...call, function: { name: "f", arguments: "{}" } })),
      calls,
    ),
  },
  "calls elsewhere": {
    finds: "call-arguments",
    apply: changing(
      "prompt",
      ({ tool_calls: lost, ...message }) => ({ ...message, function_calls: lost }),
      calls,
    ),
  },
  "null content": {
    finds: "null-value",
    apply: changing("prompt", (message) => ({ ...message, content: null }), calls),
  },
  "null fields": {
    finds: "null-value",
    apply: changing("prompt", (message) => ({ ...message, name: null })),
  },
  "another trainer's mask": {
    finds: "loss-mask",
    apply: changing("chosen", (message) => ({ ...message, weight: 0 })),
  },
  "a tool of another name": {
    finds: "undeclared-tool",
    apply: (row) =>
      list(row.prompt).some((message) => isJsonObject(message) && calls(message))
        ? { ...row, tools: [{ type: "function", function: { name: "\u0000" } }] }
        : undefined,
  },
  "a definition without a name": {
    finds: "tool-definition",
    apply: (row) => ({ ...row, tools: [{}] }),
  },
  "padded definitions": {
    finds: "null-value",
    apply: (row) => ({
      ...row,
      tools: [{ function: { name: "f", parameters: { properties: { a: null } } } }],
    }),
  },
};

test("a fault of any kind in an exported pair is found, and nothing in the pair itself", () => {
  const applied = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(rolloutArbitrary, { minLength: 1, maxLength: 3 }),
      fc.nat(9),
      (rollouts, at) => {
        const pairs: readonly object[] = exportRollouts(rollouts.flat(), {
          target: "trl",
          pairs: "act",
          pairing: "all",
          exportedAtMs: 0,
        }).dpo;
        for (const pair of pairs) {
          const exported: JsonObject = JSON.parse(JSON.stringify(pair));
          // Most random runs part before their first call.
          const prompt = [...list(exported.prompt), callMessage(), result];
          const row = at % 2 === 0 ? exported : { ...exported, prompt, tools: TOOLS };
          const own = checkRow(row, "trl").faults;
          expect(own.filter(({ severity }) => severity === "error")).toEqual([]);
          for (const [name, { finds, apply }] of Object.entries(mutations)) {
            const broken = apply(row, at);
            if (broken === undefined) continue;
            applied.set(name, (applied.get(name) ?? 0) + 1);
            const known = new Set(own.map(({ id, pointer }) => `${id} ${pointer}`));
            const found = checkRow(broken, "trl").faults.filter(
              ({ id, pointer }) => !known.has(`${id} ${pointer}`) || id === "null-value",
            );
            expect([name, found.map(({ id }) => id)]).toEqual([
              name,
              expect.arrayContaining([finds]),
            ]);
          }
        }
      },
    ),
    { numRuns: runCount(200) },
  );
  expect(Object.keys(mutations).filter((name) => (applied.get(name) ?? 0) < 5)).toEqual([]);
});
