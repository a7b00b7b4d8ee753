import { expect, test } from "vitest";
import { findCycle } from "./find-cycle.js";

test("none in a graph without one, however many ways there are", () => {
  const depth = 200;
  const layers = Array.from({ length: depth }, (_, at) => [`${at}`, [`${at + 1}`, `${at + 1}`]]);
  expect(findCycle(new Map(layers.map(([node, next]) => [String(node), [...(next ?? [])]])))).toBe(
    undefined,
  );
});

test.each<[graph: Record<string, string[]>, cycle: string[]]>([
  [{ a: ["a"] }, ["a", "a"]],
  [{ a: ["b"], b: ["c"], c: ["b"] }, ["b", "c", "b"]],
  [{ a: [], b: ["a", "c"], c: ["d"], d: ["b"] }, ["b", "c", "d", "b"]],
])("the cycle of %j", (graph, cycle) => {
  expect(findCycle(new Map(Object.entries(graph)))).toEqual(cycle);
});
