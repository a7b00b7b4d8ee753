import { describe, expect, test } from "vitest";
import { linkTypes } from "../../src/contract/codegen/testing/link-types.js";
import { definitionOf } from "../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { describePlace, findRoute } from "./places.js";

describe("describePlace", () => {
  const text = (description: string): SchemaNode => ({ type: "string", description });

  const definitions = linkTypes({
    Order: {
      type: "object",
      description: "An order.",
      properties: {
        id: text("Id of the order. Not empty."),
        layer: text("Layer 1 of it."),
        sum: text("DPO's own; in cents."),
        parts: {
          type: "array",
          items: { type: "object", properties: { colour: { $ref: "#/$defs/Colour" } } },
        },
        extra: { type: "object", additionalProperties: text("The value of a key: any text.") },
      },
    },
    Colour: text("What it looks like."),
  });

  test("the whole record has the name of its type, and no description", () => {
    const { names, phrase, meaning } = describePlace("Order", [], definitions);
    expect([names, phrase, meaning]).toEqual([["Order", "Order"], "The Order", ""]);
  });

  test.each([
    [["id"], "id", "id of the order"],
    // A word with a digit, or with inner capitals, counts as a name.
    [["layer"], "layer", "Layer 1 of it"],
    [["sum"], "sum", "DPO's own"],
    [["parts", "0"], "An item of parts", ""],
    // The target of a reference describes it.
    [["parts", "3", "colour"], "parts.colour", "what it looks like"],
    [["extra", "any"], "extra.any", "the value of a key: any text"],
  ])("%j is called %j", (path, phrase, meaning) => {
    expect(describePlace("Order", path, definitions)).toMatchObject({ phrase, meaning });
  });

  test("names start with the innermost place, and extend towards the type until unambiguous", () => {
    expect(describePlace("Order", ["parts", "3", "colour"], definitions).names).toEqual([
      "colour",
      "parts",
      "Order",
    ]);
    expect(describePlace("Order", ["parts", "0"], definitions).names).toEqual([
      "parts item",
      "Order",
    ]);
  });

  test("a place without a schema has only its name", () => {
    const { phrase, meaning } = describePlace("Order", ["other"], definitions);
    expect([phrase, meaning]).toEqual(["other", ""]);
  });
});

describe("findRoute", () => {
  const definitions = linkTypes(
    {
      Far: {
        type: "object",
        properties: { list: { type: "array", items: { $ref: "#/$defs/Part" } } },
      },
      Near: { type: "object", properties: { part: { $ref: "#/$defs/Part" } } },
      Map: { type: "object", additionalProperties: { $ref: "#/$defs/Entry" } },
      Whole: { allOf: [{ $ref: "#/$defs/Near" }] },
      Part: { type: "object", properties: { text: { type: "string" } } },
      Entry: { type: "integer" },
      Loose: { type: "string" },
    },
    ["Far", "Near", "Map", "Whole"],
  );

  const nodeOf = (name: string): SchemaNode => definitionOf(name, definitions).node;

  /** The type, and the steps from it: a property's name, or the kind of step. */
  function routeTo(node: SchemaNode): readonly string[] | undefined {
    const route = findRoute(node, definitions);
    return (
      route && [
        route.type,
        ...route.steps.map((step) => (step.kind === "property" ? step.name : step.kind)),
      ]
    );
  }

  test("routes start at an entry type", () => {
    expect(routeTo(nodeOf("Far"))).toEqual(["Far"]);
    expect(routeTo(nodeOf("Near"))).toEqual(["Near"]);
  });

  test("the shortest of several routes, even if another type comes first", () => {
    expect(routeTo(nodeOf("Part"))).toEqual(["Near", "part"]);
    expect(routeTo(nodeOf("Part").properties?.text ?? {})).toEqual(["Near", "part", "text"]);
  });

  test("items and entries with free keys are steps, references are not", () => {
    expect(routeTo(nodeOf("Far").properties?.list?.items ?? {})).toEqual(["Far", "list", "item"]);
    expect(routeTo(nodeOf("Entry"))).toEqual(["Map", "entry"]);
  });

  test("a node that no entry type reaches has no route", () => {
    expect(findRoute(nodeOf("Loose"), definitions)).toBeUndefined();
    expect(findRoute({ type: "string" }, definitions)).toBeUndefined();
  });
});
