import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { exportRollouts } from "../../src/rollouts/wire/export/export-rollouts.js";
import schema from "./openai-preference.schema.json" with { type: "json" };
import { createRollouts } from "./testing/create-rollouts.js";

const validate = new Ajv2020({ strict: true, strictRequired: false, allErrors: true }).compile(
  schema,
);
const { dpo: records } = exportRollouts(createRollouts(), { target: "openai" });

test("every pair is a valid line of OpenAI's preference format, with results after their calls", () => {
  const faults = records.flatMap((record) => (validate(record) ? [] : [validate.errors]));
  process.stderr.write(`OpenAI: ${records.length} records\n`);
  expect(records.length).toBeGreaterThan(10);
  expect(faults).toEqual([]);
  for (const { input } of records) {
    const calls = input.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const answered = input.messages.flatMap(({ tool_call_id: id }) =>
      id === undefined ? [] : [id],
    );
    expect(answered).toEqual(calls);
  }
});

const [record] = records;
const call = { id: "c", type: "function", function: { name: "f", arguments: {} } };

test.each([
  ["provenance", { ...record, provenance: {} }, "/"],
  [
    "arguments that are an object",
    withMessage({ role: "assistant", content: "", tool_calls: [call] }),
    "/input/messages/0",
  ],
  ["content that is null", withMessage({ role: "user", content: null }), "/input/messages/0"],
  ["an answer that is text", { ...record, preferred_output: "yes" }, "/preferred_output"],
])("a line with %s is rejected", (_, line, place) => {
  expect(validate(line)).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => `${instancePath}/`).join(" ")).toContain(place);
});

function withMessage(message: object): object {
  return { ...record, input: { messages: [message] } };
}
