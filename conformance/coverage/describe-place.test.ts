import { expect, test } from "vitest";
import type { SchemaNode } from "../schemas/schema-node.js";
import { linkTypes } from "../schemas/testing/link-types.js";
import { describePlace } from "./describe-place.js";

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

test("the whole record has its type's name, and needs no description", () => {
  const { names, phrase, meaning } = describePlace("Order", [], definitions);
  expect([names, phrase, meaning]).toEqual([["Order", "Order"], "The Order", ""]);
});

test.each([
  [["id"], "id", "id of the order"],
  // A word with a number, and one with capitals inside, is a name.
  [["layer"], "layer", "Layer 1 of it"],
  [["sum"], "sum", "DPO's own"],
  [["parts", "0"], "An item of parts", ""],
  // What a reference leads to says it.
  [["parts", "3", "colour"], "parts.colour", "what it looks like"],
  [["extra", "any"], "extra.any", "the value of a key: any text"],
])("%j is called %j", (path, phrase, meaning) => {
  expect(describePlace("Order", path, definitions)).toMatchObject({ phrase, meaning });
});

test("names begin with the nearest, and go on to the type until one is unambiguous", () => {
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

test("a place of which the schema says nothing has its name alone", () => {
  const { phrase, meaning } = describePlace("Order", ["other"], definitions);
  expect([phrase, meaning]).toEqual(["other", ""]);
});
