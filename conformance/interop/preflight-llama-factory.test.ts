import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/value.js";
import { checkRow } from "../../src/rollouts/wire/preflight/check-row.js";
import { gpt, human, validRows } from "../../src/rollouts/wire/preflight/testing/rows.js";
import { runConsumer } from "./run-consumer.js";

interface Converted {
  readonly error?: string;
  /** Empty: the row is skipped. */
  readonly prompt?: readonly JsonObject[];
  readonly response?: readonly JsonObject[];
}

const OBSERVATION = { from: "observation", value: "3" };
const OTHER = { from: "gpt", value: "No idea." };

/** How `dataset_info.json` must describe a row. */
function describeRow(row: JsonObject): JsonObject {
  const column = "messages" in row ? "messages" : "conversations";
  const optional = ["system", "tools", "chosen", "rejected", "history"].filter(
    (name) => name in row,
  );
  const columns = Object.fromEntries(optional.map((name) => [name, name]));
  const ranking = "chosen" in row;
  const label = "label" in row ? { kto_tag: "label" } : {};
  if ("instruction" in row) {
    const own = { prompt: "instruction", query: "input", response: "output" };
    const present = Object.entries(own).filter(([, name]) => name in row);
    return { ranking, columns: { ...Object.fromEntries(present), ...columns, ...label } };
  }
  return { formatting: "sharegpt", ranking, columns: { messages: column, ...columns, ...label } };
}

const convert = (rows: readonly JsonObject[]): Converted[] =>
  runConsumer(
    "convert_rows",
    rows.map((row) => ({ attributes: describeRow(row), row })),
  );

const isLost = ({ error, prompt }: Converted): boolean =>
  error !== undefined || prompt?.length === 0;

/** Rows with an error, and whether LLaMA-Factory loses or misreads them. */
const cases: readonly (readonly [string, JsonObject, string, (converted: Converted) => boolean])[] =
  [
    [
      "an observation after a user turn",
      { conversations: [human, OBSERVATION, gpt] },
      "turn-order",
      isLost,
    ],
    ["two user turns", { conversations: [human, human, gpt] }, "turn-order", isLost],
    ["an end in a user turn", { conversations: [human, gpt, human] }, "turn-order", isLost],
    [
      "a pair after an answer",
      { conversations: [human, gpt], chosen: gpt, rejected: OTHER },
      "turn-order",
      isLost,
    ],
    [
      "an unknown role",
      { conversations: [human, { from: "robot", value: "x" }] },
      "message-role",
      isLost,
    ],
    [
      "no value",
      { conversations: [human, { from: "gpt" }] },
      "message-content",
      ({ error, response }) => error !== undefined || response?.[0]?.content === null,
    ],
    [
      "a label of 1",
      { conversations: [human, gpt], label: 1 },
      "column-type",
      ({ response }) => response?.length === 1,
    ],
    [
      "a chosen message that is text",
      { conversations: [human], chosen: "3", rejected: "4" },
      "column-type",
      ({ prompt, response }) => prompt?.length === 0 && response?.length === 1,
    ],
    [
      "equal answers",
      { instruction: "a", chosen: "b", rejected: "b" },
      "equal-sides",
      ({ response }) => response?.[0]?.content === response?.[1]?.content,
    ],
    [
      "an empty output",
      { instruction: "a", output: "" },
      "empty-completion",
      ({ response }) => response?.[0]?.content === "",
    ],
  ];

test("LLaMA-Factory skips or misreads each row with an error, and a labelled row is read with its label", () => {
  const label = { conversations: [human, gpt], label: true };
  const converted = convert([...cases.map(([, row]) => row), label]);
  for (const [index, [name, row, finding, isMisread]] of cases.entries()) {
    const errors = checkRow(row, "llama-factory").faults.filter(
      ({ severity }) => severity === "error",
    );
    expect([name, errors.map(({ id }) => id)]).toEqual([name, expect.arrayContaining([finding])]);
    const outcome = converted[index] ?? {};
    expect([name, outcome, isMisread(outcome)]).toEqual([name, outcome, true]);
  }
  expect(converted.at(-1)?.response).toHaveLength(2);
});

test("valid rows are converted", () => {
  // With the other formatting, LLaMA-Factory reads `messages` in OpenAI's form.
  const rows = validRows["llama-factory"].filter((row) => !("messages" in row));
  expect(rows.length).toBeGreaterThan(4);
  for (const outcome of convert(rows)) {
    expect(outcome).toMatchObject({ prompt: expect.any(Array), response: expect.any(Array) });
    expect(outcome.prompt?.length).toBeGreaterThan(0);
  }
});
