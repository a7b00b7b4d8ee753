import fc from "fast-check";
import { expect, test } from "vitest";
import { isModelContext } from "#generated/index.js";
import { oddValue } from "../../base/testing/odd-value.js";
import { findComposedState, readModelContext } from "./model-context.js";

function stateOf(actionsData: unknown): object {
  return { values: {}, text: "", data: { providers: { ACTIONS: { data: { actionsData } } } } };
}

const runtime = { character: { system: "You are terse." } };

test("the system prompt, and the offered actions as functions with their parameters", () => {
  const weather = {
    name: "WEATHER",
    description: "Tells the weather.",
    handler: () => {},
    parameters: {
      city: { type: "string", description: "The city.", required: true },
      days: { type: "number", description: "How many.", required: false },
      where: { type: "object", properties: { zip: { type: "string" } }, required: ["zip"] },
      unit: { type: "degrees", enum: ["C", "F"] },
      note: "no definition",
      nothing: null,
    },
  };
  const offered = [weather, { name: "WAIT" }, { name: "" }, null, { description: "nameless" }];
  const context = readModelContext(runtime, stateOf(offered));
  weather.parameters.city.type = "changed later";
  offered.pop();
  expect(context).toEqual({
    messages: [{ role: "system", content: "You are terse." }],
    tools: [
      {
        type: "function",
        function: {
          name: "WEATHER",
          description: "Tells the weather.",
          parameters: {
            type: "object",
            properties: {
              city: { type: "string", description: "The city." },
              days: { type: "number", description: "How many." },
              where: { type: "object", properties: { zip: { type: "string" } }, required: ["zip"] },
              unit: { enum: ["C", "F"] },
            },
            required: ["city"],
          },
        },
      },
      {
        type: "function",
        function: { name: "WAIT", parameters: { type: "object", properties: {} } },
      },
    ],
  });
});

test("parameters that are a JSON Schema stay as they are", () => {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: [] };
  const { tools } = readModelContext(runtime, stateOf([{ name: "A", parameters }]));
  expect(tools?.[0]?.function.parameters).toEqual(parameters);
});

test("without a system prompt there is no message; what was offered is known only from the state", () => {
  expect(readModelContext({ character: { system: "" } }, stateOf([]))).toEqual({
    messages: [],
    tools: [],
  });
  for (const state of [undefined, {}, { data: { providers: { FACTS: {} } } }, stateOf("all")]) {
    expect(readModelContext({}, state)).toEqual({ messages: [] });
  }
});

test("a list of tools that does not fit into the record is left out", () => {
  const action = { name: "LONG", description: "x".repeat(2 ** 24) };
  const context = readModelContext(runtime, stateOf([action, { name: "SHORT" }]));
  expect(Object.keys(context)).toEqual(["messages"]);
});

test("the composed state is that of the message", () => {
  const state = stateOf([]);
  expect(findComposedState({ stateCache: new Map([["m", state]]) }, { id: "m" })).toBe(state);
  for (const odd of [undefined, null, {}, { stateCache: {} }, { stateCache: new Map() }]) {
    expect(findComposedState(odd, { id: "m" })).toBeUndefined();
  }
});

test("never throws, and is always valid", () => {
  fc.assert(
    fc.property(oddValue, oddValue, oddValue, (system, action, parameters) => {
      const offered = stateOf([action, { name: "A", description: system, parameters }]);
      const given = { character: { system } };
      for (const state of [offered, action]) {
        expect(isModelContext(readModelContext(given, state))).toBe(true);
        readModelContext(action, state);
        findComposedState(action, system);
      }
    }),
  );
});
