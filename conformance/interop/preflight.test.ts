import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/value.js";
import { checkRow } from "../../src/rollouts/wire/preflight/check-row.js";
import type { TrainerId } from "../../src/rollouts/wire/preflight/formats/index.js";
import {
  answer,
  callMessage,
  human,
  labelled,
  noTools,
  other,
  pair,
  result,
  TOOLS,
  user,
  validRows,
} from "../../src/rollouts/wire/preflight/testing/rows.js";
import { runConsumer } from "./run-consumer.js";

/** What a trainer makes of the rows with one template: an error, or what is read and learned of each. */
interface Outcome {
  readonly error?: string;
  readonly texts?: readonly (readonly (readonly [read: string, learned: string])[])[];
}

type Outcomes = Readonly<Record<string, Outcome>>;

/** How rows go wrong, by what TRL makes of them with all templates. */
type Proof = (outcomes: readonly Outcome[]) => boolean;

const TEMPLATES = new URL("templates/", import.meta.url);
const templates = Object.fromEntries(
  readdirSync(TEMPLATES).map((file) => [file, readFileSync(new URL(file, TEMPLATES), "utf8")]),
);
/** Prints definitions, as the templates of the folder do not. */
const WITH_TOOLS = "{{ tools | tojson }}{% for m in messages %}{{ m.content }}{% endfor %}";

const TRAINERS = { trl: "dpo", "trl-kto": "kto", "trl-sft": "sft" } as const;

const learnedOf = ({ texts = [] }: Outcome): string[] => texts.flat().map(([, learned]) => learned);
const wholeOf = ({ texts = [] }: Outcome): string[] =>
  texts.flat().map(([read, learned]) => `${read}${learned}`);

const fails: Proof = (outcomes) => outcomes.every(({ error }) => error !== undefined);
const failsWithOne: Proof = (outcomes) => outcomes.some(({ error }) => error !== undefined);
const comparesEqualTexts: Proof = (outcomes) =>
  outcomes.every(({ texts = [] }) => {
    return texts.length > 0 && texts.every(([one, two]) => one?.[1].trim() === two?.[1].trim());
  });
/** Some template, and no error, gives a text in which this holds. */
const learns =
  (says: (learned: string) => boolean): Proof =>
  (outcomes) =>
    outcomes.some((outcome) => learnedOf(outcome).some(says));
const shows =
  (says: (whole: string) => boolean): Proof =>
  (outcomes) =>
    outcomes.some((outcome) => wholeOf(outcome).some(says));

const has = (text: string) => (whole: string) => whole.includes(text);
const lacks = (text: string) => (whole: string) => !whole.includes(text);
/** A template refuses the row, or its text shows the fault. */
const either =
  (...proofs: readonly Proof[]): Proof =>
  (outcomes) =>
    proofs.some((proof) => proof(outcomes));

const textCall = callMessage('{"label":"bug"}');
const padded = {
  type: "function",
  function: {
    name: "count_issues",
    parameters: { properties: { label: { type: "string" }, to: null } },
  },
};

/** Rows with an error, the finding, and what the real trainer does. */
const cases: readonly (readonly [
  string,
  keyof typeof TRAINERS,
  readonly JsonObject[],
  string,
  Proof,
])[] = [
  [
    "a misspelt column",
    "trl",
    [{ prompt: [user], choosen: [answer], rejected: [other] }],
    "missing-column",
    fails,
  ],
  ["a prompt of a number", "trl", [{ ...noTools, prompt: 3 }], "column-type", fails],
  ["a label as text", "trl-kto", [{ ...labelled, label: "true" }], "column-type", fails],
  ["a text prompt beside messages", "trl", [{ ...noTools, prompt: "hi" }], "mixed-rows", fails],
  [
    "identical answers",
    "trl",
    [{ ...noTools, rejected: [answer] }],
    "equal-sides",
    comparesEqualTexts,
  ],
  [
    "identical conversations",
    "trl",
    [{ chosen: [user, answer], rejected: [user, answer] }],
    "equal-sides",
    comparesEqualTexts,
  ],
  [
    "nothing chosen",
    "trl",
    [{ ...noTools, chosen: [{ role: "assistant", content: " " }] }],
    "empty-completion",
    learns((text) => /^\s*(?:<[^>]*>\s*)*$/.test(text)),
  ],
  [
    "an empty list",
    "trl",
    [{ ...noTools, chosen: [] }],
    "empty-completion",
    either(
      failsWithOne,
      learns((text) => text === ""),
    ),
  ],
  [
    "a prompt that ends in an answer",
    "trl",
    [{ ...noTools, prompt: [user, other] }],
    "turn-order",
    shows(has(`${other.content}<|im_end|>\n<|im_start|>assistant`)),
  ],
  [
    "a chosen user turn",
    "trl",
    [{ ...noTools, chosen: [user, answer] }],
    "turn-order",
    either(learns(has(user.content)), failsWithOne),
  ],
  [
    "a call without a result",
    "trl-sft",
    [{ messages: [user, callMessage(), { ...user, content: "And now?" }, answer], tools: TOOLS }],
    "unanswered-call",
    learns((text) => text.indexOf("And now?") > text.indexOf("count_issues")),
  ],
  [
    "a result without a call",
    "trl-sft",
    [{ messages: [user, result, answer] }],
    "stray-result",
    either(
      failsWithOne,
      learns((text) => text.includes(result.content) && !text.includes("count_issues")),
    ),
  ],
  [
    "arguments as text",
    "trl",
    [{ ...noTools, tools: TOOLS, chosen: [textCall] }],
    "call-arguments",
    either(failsWithOne, learns(has('\\"label'))),
  ],
  [
    "no arguments",
    "trl",
    [{ ...noTools, tools: TOOLS, chosen: [callMessage(null)] }],
    "call-arguments",
    either(learns(has("null")), failsWithOne),
  ],
  [
    "calls elsewhere",
    "trl-sft",
    [{ messages: [user, { ...answer, function_call: { name: "lost_call" } }] }],
    "call-arguments",
    learns(lacks("lost_call")),
  ],
  [
    "parts of text",
    "trl",
    [{ ...noTools, prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] }],
    "message-content",
    either(failsWithOne, shows(has("'type'"))),
  ],
  [
    "no content",
    "trl",
    [{ ...noTools, prompt: [{ role: "user" }] }],
    "message-content",
    either(failsWithOne, shows(has("None"))),
  ],
  [
    "from and value",
    "trl",
    [{ ...noTools, prompt: [human] }],
    "message-role",
    either(failsWithOne, shows(lacks(user.content))),
  ],
  [
    "null parameters",
    "trl",
    [{ ...pair, tools: [padded] }],
    "null-value",
    shows(has('"to": null')),
  ],
  [
    "null arguments",
    "trl",
    [{ ...noTools, tools: TOOLS, chosen: [callMessage({ label: "bug", to: null })] }],
    "null-value",
    learns(has('"to": null')),
  ],
  [
    "a definition without a name",
    "trl",
    [{ ...pair, tools: [{ type: "function" }] }],
    "tool-definition",
    shows(has('[{"type": "function"}]')),
  ],
  [
    "a mask of another length",
    "trl-sft",
    [{ input_ids: [1, 2, 3], completion_mask: [0, 1] }],
    "loss-mask",
    (outcomes) =>
      outcomes.some(
        ({ error, texts }) =>
          error !== undefined || JSON.stringify(texts) !== "[[[3,[false,true,true]]]]",
      ),
  ],
];

let outcomes: readonly Outcomes[] = [];

beforeAll(() => {
  outcomes = runConsumer<Outcomes[]>("try_rows", {
    templates: { ...templates, "with-tools": WITH_TOOLS },
    requests: [
      ...cases.map(([, id, rows]) => ({ trainer: TRAINERS[id], rows })),
      ...Object.entries(TRAINERS).flatMap(([id, trainer]) =>
        validRowsOf(id).map((row) => ({ trainer, rows: [row] })),
      ),
      { trainer: "kto", rows: [{ ...labelled, label: 1 }, labelled] },
      { trainer: "dpo", rows: [noTools, { prompt: "a", chosen: "b", rejected: "c" }] },
    ],
  });
});

/** The valid rows that a trainer of TRL reads by itself. */
function validRowsOf(id: string): JsonObject[] {
  const rows = validRows[id as TrainerId];
  return rows.filter((row) => !("reward" in row));
}

test.each(cases.map(([name, id], index) => ({ name, id, index })))("$name ($id)", ({ index }) => {
  const [, id, rows, finding, proves] = cases[index] ?? cases[0] ?? [];
  if (id === undefined || rows === undefined || proves === undefined) throw new Error("no case");
  const found = rows.flatMap((row) => checkRow(row, id).faults);
  expect(found.filter(({ severity }) => severity === "error").map(({ id }) => id)).toContain(
    finding,
  );
  const outcome = Object.values(outcomes[index] ?? {});
  expect(outcome).toHaveLength(Object.keys(templates).length + 1);
  expect([JSON.stringify(outcome, null, 1), proves(outcome)]).toEqual([expect.any(String), true]);
});

test("valid rows are learned with every template that knows tools, and their answers stand in what is learned", () => {
  const valid = outcomes.slice(cases.length, -2);
  expect(valid.length).toBeGreaterThan(8);
  for (const outcome of valid) {
    const prepared = Object.values(outcome).filter(({ texts }) => texts !== undefined);
    expect([JSON.stringify(outcome), prepared.length > 3]).toEqual([expect.any(String), true]);
  }
});

test("plain rows among conversations lose the token that ends them", () => {
  const mixed = Object.values(outcomes.at(-1) ?? {});
  expect(mixed.some(({ texts }) => texts?.[1]?.[0]?.[1] === "b")).toBe(true);
});

test("KTOTrainer takes a label of 1, of which a warning is enough", () => {
  const outcome = Object.values(outcomes.at(-2) ?? {});
  expect(outcome.some(({ texts }) => texts?.length === 2)).toBe(true);
  const { faults } = checkRow({ ...labelled, label: 1 }, "trl-kto");
  expect(faults.map(({ severity }) => severity)).toEqual(["warning"]);
});
