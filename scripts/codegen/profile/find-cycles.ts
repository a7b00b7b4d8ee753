import {
  type Definitions,
  definitionOf,
  findCycle,
} from "../../../conformance/schemas/definitions.js";
import type { FileFault } from "../../../src/findings/finding.js";
import { refsOf } from "../refs-of.js";
import { placeOf, refuse } from "./place.js";

/**
 * Deep values of a recursive type would hit Python's recursion limit, where Ajv goes on; and Python modules
 * cannot import each other at load time.
 */
export function* findCycles(definitions: Definitions): Generator<FileFault> {
  const types = new Map([...definitions].map(([name, { node }]) => [name, refsOf(node)]));
  const cycle = findCycle(types);
  if (cycle !== undefined) {
    const place = placeOf(definitionOf(cycle[0] ?? "", definitions));
    yield refuse(place, `refers to itself: ${cycle.join(" > ")}`, "recursion");
  }
  const files = new Map<string, string[]>();
  for (const { schema, node } of definitions.values()) {
    const targets = refsOf(node).map((ref) => definitionOf(ref, definitions).schema.file);
    const others = targets.filter((file) => file !== schema.file);
    files.set(schema.file, [...(files.get(schema.file) ?? []), ...others]);
  }
  const circle = findCycle(files);
  if (circle !== undefined) {
    const place = { file: circle[0] ?? "", pointer: "" };
    const message = `refers to itself through other schemas: ${circle.join(" > ")}`;
    yield refuse(place, message, "recursion");
  }
}
