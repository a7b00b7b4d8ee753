import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../base/json/value.js";
import { rows } from "../forms/rows.js";
import { readBranch } from "../testing/read-row.js";
import { withoutSchemaNulls } from "./arrow-nulls.js";

const MAP = { texts: { map: "messages=/messages,tools=/tools" } };

/** The arguments of each call after import, and what was changed. */
function read(calls: readonly [name: string, args: unknown][], properties?: JsonObject): unknown[] {
  const messages = [
    { role: "user", content: "Turn." },
    {
      role: "assistant",
      content: "",
      tool_calls: calls.map(([name, args]) => ({ function: { name, arguments: args } })),
    },
  ];
  const parameters = { type: "object", properties };
  const tools = properties && [{ type: "function", function: { name: "turn", parameters } }];
  const { branch, tally } = readBranch(rows, { messages, tools }, MAP);
  const args = branch.tool_call_sequence.map(({ data }) => data?.args);
  return [...args, ...tally.describeChanges()];
}

describe("null arguments", () => {
  const PROPERTIES = {
    theta: { type: "number" },
    note: { type: ["string", "null"] },
    mode: { anyOf: [{ type: "string" }, { type: "null" }] },
    side: { enum: ["left", null] },
    any: {},
    deep: { type: "object", properties: { a: { type: "null" }, b: { type: "string" } } },
  };

  test("of other functions are left out, and counted", () => {
    expect(read([["turn", { x: null, theta: 3 }]], PROPERTIES)).toEqual([
      { theta: 3 },
      "1 null argument left out",
    ]);
  });

  test("stay where the tool allows them", () => {
    const args = { note: null, mode: null, side: null, any: null, theta: null };
    expect(read([["turn", args]], PROPERTIES)).toEqual([
      { note: null, mode: null, side: null, any: null },
      "1 null argument left out",
    ]);
    expect(read([["turn", { deep: { a: null, b: null, c: null } }]], PROPERTIES)).toEqual([
      { deep: { a: null } },
      "2 null arguments left out",
    ]);
  });

  test("are left out as from Parquet if no tool is known", () => {
    const calls: [string, unknown][] = [
      ["move", { x: 1, theta: null }],
      ["turn", { x: null, theta: 3 }],
    ];
    expect(read(calls)).toEqual([{ x: 1 }, { theta: 3 }, "2 null arguments left out"]);
  });

  test("stay if the calls have different keys, or are texts: then Arrow did not add them", () => {
    expect(
      read([
        ["move", { x: null }],
        ["turn", { theta: 3 }],
      ]),
    ).toEqual([{ x: null }, { theta: 3 }]);
    expect(read([["turn", '{"x": null}']])).toEqual([{ x: null }]);
  });
});

test("parameters lose the nulls that are no values, and no names", () => {
  const schema = {
    type: "object",
    required: null,
    properties: {
      x: null,
      default: null,
      theta: { type: "number", enum: null, items: null, default: null },
      side: { enum: ["left", null], const: null, examples: [null] },
      deep: { properties: { a: null, b: { format: null } }, anyOf: [{ type: "null", not: null }] },
    },
    $defs: { a: null, b: {} },
  };
  expect(withoutSchemaNulls(schema)).toEqual({
    type: "object",
    properties: {
      theta: { type: "number", default: null },
      side: { enum: ["left", null], const: null, examples: [null] },
      deep: { properties: { b: {} }, anyOf: [{ type: "null" }] },
    },
    $defs: { b: {} },
  });
});
