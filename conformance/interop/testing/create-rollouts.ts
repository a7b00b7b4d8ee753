import { readFileSync } from "node:fs";
import fc from "fast-check";
import {
  isRolloutBranchRecord,
  type RolloutBranchRecord,
  type ToolEvent,
} from "#generated/index.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../../../src/rollouts/wire/export/testing/create-event.js";

const GOLDEN = new URL("../../../fixtures/golden/support-desk/input.jsonl", import.meta.url);

const RANDOM_ROLLOUTS = 150;

interface Step {
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    readonly args: unknown;
    readonly output: unknown;
  }[];
}

/** Strings with a special meaning in JSON, YAML, templates or file loaders. */
export const TRAPS = [
  ...["", " ", "null", "5", "true", "[1, 2]", '{"a": 1}', '"quoted"', "NaN", "2026-11-20"],
  ...[
    "\u2028\u2029",
    "\u0000",
    "\ufeff",
    "\r\n",
    "日本語 😀 עברית",
    "e\u0301",
    "\\",
    "{{ x }}",
    "{% raw %}",
  ],
  ...[
    "<tool_call>",
    "</tool_call>",
    "<|im_end|>",
    "[INST]",
    "<think>\nx\n</think>\n\n",
    "</tool_response>",
  ],
];

const text = fc.oneof(fc.constantFrom(...TRAPS), fc.string({ unit: "grapheme", maxLength: 12 }));
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true }),
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(text, tie("value"), { maxKeys: 3 }),
}));
// Few argument names, so that their types differ between records.
const args = fc.oneof(fc.dictionary(fc.constantFrom("a", "b", "c"), json), json, text);
const call = fc.record({ name: fc.constantFrom("search", "get_order", "f"), args, output: json });
const step = fc.record({
  text: fc.oneof(fc.constant(""), text),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
});
const rollout = fc.record({
  task: text.filter((task) => task !== ""),
  steps: fc.array(step, { maxLength: 3 }),
  chosen: text.filter((answer) => answer !== ""),
  rejected: text,
  score: fc.double({ min: 0, max: 0.99, noNaN: true }),
  /** How many steps the rejected branch shares with the chosen one. */
  shared: fc.constantFrom(0, 1, 3, 3, 3),
  context: fc.constantFrom<RolloutBranchRecord["context"][]>(undefined, {
    messages: [{ role: "system", content: "Use the tools.\n<b>Be brief.</b>" }],
    tools: ["search", "get_order", "f"].map((name) => ({
      type: "function",
      function: {
        name,
        description: `Calls "${name}".`,
        parameters: { type: "object", properties: { a: { type: "string", enum: ["x", "y"] } } },
      },
    })),
  }),
});

/**
 * Branches for which every target writes records: the bundled rollouts, one rollout with difficult values,
 * and random ones, the same on every machine.
 */
export function createRollouts(): RolloutBranchRecord[] {
  const golden = readFileSync(GOLDEN, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
    .filter(isRolloutBranchRecord);
  const random = fc.sample(rollout, { seed: 20_261_120, numRuns: RANDOM_ROLLOUTS });
  return [
    ...golden,
    ...createPair("hardest", {
      ...HARDEST,
      chosen: "four",
      rejected: "",
      score: 1 / 1.3,
      shared: 3,
      context: undefined,
    }),
    ...random.flatMap((fields, index) => createPair(`random-${index}`, fields)),
  ];
}

const HARDEST = {
  task: "What is 2+2? 日本語 😀",
  steps: [
    {
      text: "I'll ask both.",
      calls: [
        { name: "add", args: { a: 2, b: 2, note: "</tool_call><|im_end|>" }, output: { sum: 4 } },
        { name: "add", args: { a: "2", b: null, c: { d: [[], {}] } }, output: "4" },
      ],
    },
    { text: "", calls: [{ name: "add", args: '{"a": 2, "b', output: null }] },
    { text: "", calls: [{ name: "noop", args: {}, output: "" }] },
  ],
};

function createPair(
  rollout_id: string,
  fields: {
    readonly task: string;
    readonly steps: readonly Step[];
    readonly chosen: string;
    readonly rejected: string;
    readonly score: number;
    readonly shared: number;
    readonly context: RolloutBranchRecord["context"];
  },
): RolloutBranchRecord[] {
  const { task, steps, context, shared } = fields;
  const base = { rollout_id, task, ...(context && { context }) };
  const toSequence = (kept: readonly Step[]) => kept.flatMap(toEvents);
  return [
    createBranch({
      ...base,
      tool_call_sequence: toSequence(steps),
      final_answer: fields.chosen,
    }),
    createBranch({
      ...base,
      tool_call_sequence: toSequence(steps.slice(0, shared)),
      branch_index: 1,
      final_answer: fields.rejected,
      objective_score: 0,
      rank: 2,
      total_score: fields.score,
    }),
  ];
}

/** Parallel calls of a turn, then their results in reverse order. */
function toEvents({ text: said, calls }: Step, turn: number): ToolEvent[] {
  const batchId = `turn-${turn}`;
  const events = calls.map(({ name, args, output }, index) => {
    const callId = `c${turn}${index}`;
    return {
      call: { event: "tool_call", data: { toolName: name, args, callId, batchId, text: said } },
      result: { event: "tool_result", data: { toolName: name, callId, output } },
    };
  });
  return [
    ...events.map(({ call }) => createEvent(call)),
    ...events.map(({ result }) => createEvent(result)).toReversed(),
  ];
}
