import { expect, test } from "vitest";
import { definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";
import { linkTypes } from "../schemas/testing/link-types.js";
import { findRoute } from "./find-route.js";

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

/** The type, and the steps from it: a property's name, or what kind of step it is. */
function routeTo(node: SchemaNode): readonly string[] | undefined {
  const route = findRoute(node, definitions);
  return (
    route && [
      route.type,
      ...route.steps.map((step) => (step.kind === "property" ? step.name : step.kind)),
    ]
  );
}

test("an entry type is where it begins", () => {
  expect(routeTo(nodeOf("Far"))).toEqual(["Far"]);
  expect(routeTo(nodeOf("Near"))).toEqual(["Near"]);
});

test("of several routes the shortest, though another type comes first", () => {
  expect(routeTo(nodeOf("Part"))).toEqual(["Near", "part"]);
  expect(routeTo(nodeOf("Part").properties?.text ?? {})).toEqual(["Near", "part", "text"]);
});

test("an item and an entry of free keys are steps as well, and references are none", () => {
  expect(routeTo(nodeOf("Far").properties?.list?.items ?? {})).toEqual(["Far", "list", "item"]);
  expect(routeTo(nodeOf("Entry"))).toEqual(["Map", "entry"]);
});

test("a node that no line reaches has no route", () => {
  expect(findRoute(nodeOf("Loose"), definitions)).toBeUndefined();
  expect(findRoute({ type: "string" }, definitions)).toBeUndefined();
});
