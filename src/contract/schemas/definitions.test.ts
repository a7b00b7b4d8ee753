import { describe, expect, test } from "vitest";
import { linkTypes } from "../codegen/testing/link-types.js";
import { basesOf, declaredIn, definitionOf, findCycle, inheritedBy } from "./definitions.js";
import type { SchemaNode } from "./nodes.js";

describe("Declared", () => {
  const definitions = linkTypes({
    Base: { properties: { id: { type: "string" }, note: { type: "string" } }, required: ["id"] },
    Middle: {
      allOf: [{ $ref: "#/$defs/Base" }],
      properties: { rank: { type: "integer" } },
      required: ["rank"],
    },
    Leaf: {
      allOf: [{ $ref: "#/$defs/Middle" }],
      properties: { note: { const: "n" }, own: {} },
      required: ["note", "id"],
    },
    Name: { $ref: "#/$defs/Leaf" },
  });

  const nodeOf = (name: string): SchemaNode => definitionOf(name, definitions).node;

  test("a type has the fields of all its bases, direct and indirect; its own declarations override them", () => {
    const { properties, required } = declaredIn(nodeOf("Leaf"), definitions);
    expect(properties).toEqual({
      id: { type: "string" },
      note: { const: "n" },
      rank: { type: "integer" },
      own: {},
    });
    expect(required.toSorted()).toEqual(["id", "note", "rank"]);
  });

  test("inherited fields exclude its own declarations", () => {
    const { properties, required } = inheritedBy(nodeOf("Leaf"), definitions);
    expect(Object.keys(properties).toSorted()).toEqual(["id", "note", "rank"]);
    expect(properties.note).toEqual({ type: "string" });
    expect(required.toSorted()).toEqual(["id", "rank"]);
  });

  test("a reference declares the fields of its target, and none itself", () => {
    expect(declaredIn(nodeOf("Name"), definitions)).toEqual(
      declaredIn(nodeOf("Leaf"), definitions),
    );
    expect(basesOf(nodeOf("Name"), definitions)[0]).toBe(nodeOf("Leaf"));
  });

  test("bases are the nodes themselves, nearest first", () => {
    const bases = basesOf(nodeOf("Leaf"), definitions).filter(({ $ref }) => $ref === undefined);
    expect(bases[0]).toBe(nodeOf("Middle"));
    expect(bases[1]).toBe(nodeOf("Base"));
    expect(basesOf(nodeOf("Base"), definitions)).toEqual([]);
  });
});

describe("findCycle", () => {
  test("no cycle in an acyclic graph, however many paths it has", () => {
    const depth = 200;
    const layers = Array.from({ length: depth }, (_, at) => [`${at}`, [`${at + 1}`, `${at + 1}`]]);
    expect(
      findCycle(new Map(layers.map(([node, next]) => [String(node), [...(next ?? [])]]))),
    ).toBe(undefined);
  });

  test.each<[graph: Record<string, string[]>, cycle: string[]]>([
    [{ a: ["a"] }, ["a", "a"]],
    [{ a: ["b"], b: ["c"], c: ["b"] }, ["b", "c", "b"]],
    [{ a: [], b: ["a", "c"], c: ["d"], d: ["b"] }, ["b", "c", "d", "b"]],
  ])("the cycle of %j", (graph, cycle) => {
    expect(findCycle(new Map(Object.entries(graph)))).toEqual(cycle);
  });
});
