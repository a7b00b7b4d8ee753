import { expect, test } from "vitest";
import { isToolDefinition } from "#generated/index.js";
import { RowIssues } from "./issues.js";
import { readTools } from "./tools.js";

const SCHEMA = { type: "object", properties: { x: { type: "number" } } };
const ADD = { name: "add", description: "Adds.", parameters: SCHEMA };
const TOOL = { type: "function", function: ADD };

const read = (value: unknown) => {
  const issues = new RowIssues();
  const tools = readTools(value, "/tools", issues);
  return { tools, faults: issues.faults.map(({ pointer, message }) => `${pointer} ${message}`) };
};

test.each<[string, unknown]>([
  ["OpenAI's", [TOOL]],
  ["the function alone", [ADD]],
  ["OpenAI's newer API", [{ type: "function", ...ADD }]],
  ["Anthropic's", [{ name: "add", description: "Adds.", input_schema: SCHEMA, type: "custom" }]],
  ["one tool", TOOL],
  ["JSON text of the list", JSON.stringify([TOOL])],
  ["JSON text of each", [JSON.stringify(TOOL)]],
  ["JSON text of the parameters", [{ ...ADD, parameters: JSON.stringify(SCHEMA) }]],
  ["null for what is absent", [{ ...ADD, strict: null }]],
])("a definition as %s", (_, value) => {
  const { tools, faults } = read(value);
  expect(tools).toEqual([TOOL]);
  expect(tools?.every(isToolDefinition)).toBe(true);
  expect(faults).toEqual([]);
});

test("strict is kept, and a description that is null is absent", () => {
  const bare = { name: "a", description: null, strict: true };
  const expected = { type: "function", function: { name: "a", parameters: {}, strict: true } };
  expect(read([bare]).tools).toEqual([expected]);
  expect(read([{ type: "function", function: bare }]).tools).toEqual([expected]);
});

test("none at all differs from an empty list", () => {
  for (const value of [undefined, null, ""]) expect(read(value).tools).toBeUndefined();
  for (const value of [[], "[]"]) expect(read(value).tools).toEqual([]);
});

test.each<[unknown, string]>([
  [[7], "/tools/0 must be a function with a name"],
  [[{ type: "web_search" }], "/tools/0 must be a function with a name"],
  [["{"], "/tools/0 must be tools; the text is no JSON text"],
  ["{", "/tools must be tools; the text is no JSON text"],
  [[{ ...ADD, parameters: [] }], "/tools/0 its parameters must be an object"],
  [[{ ...ADD, description: 7 }], "/tools/0 its parameters must be an object, and its description"],
  [7, "/tools must be a function with a name"],
])("%j is an error", (value, message) => {
  const { faults } = read(value);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(message);
});
