import { recursiveNames } from "../../src/contract/codegen/definitions.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { type Place, visitNodes } from "../coverage/mutants.js";
import { type Path, setAt, valueAt } from "./edits.js";
import type { Original } from "./originals.js";
import { toJsonText } from "./protocol.js";

/** How often a definition is nested in itself: as often as every language allows, and more. */
const LEVELS = [10, 99, 100, 101, 102];

/** For each definition that refers to itself, a record in which it is nested in itself, as a seed has it once. */
export function* nestDefinitions(
  seeds: readonly Original[],
  definitions: Definitions,
): Generator<Original> {
  const waiting = new Set(
    [...recursiveNames(definitions)].map((name) => definitionOf(name, definitions).node),
  );
  for (const seed of seeds) {
    for (const [node, outer, inner] of findNested(seed, definitions)) {
      if (!waiting.delete(node)) continue;
      const nested = valueAt(seed.value, outer);
      const core = valueAt(nested, inner);
      for (const levels of LEVELS) {
        let value = core;
        for (let left = levels; left > 0; left -= 1) value = setAt(nested, inner, value);
        const record = setAt(seed.value, outer, value);
        yield { ...seed, value: undefined, text: toJsonText(record) };
      }
    }
  }
}

/** Nodes that apply to a value, and again to one in it: with the path of the outer one, and the path from there. */
function findNested(
  { type, value }: Original,
  definitions: Definitions,
): [node: SchemaNode, outer: Path, inner: Path][] {
  const places = new Map<SchemaNode, Path[]>();
  visitNodes([definitionOf(type, definitions).node], value, definitions, (node, place) => {
    places.set(node, [...(places.get(node) ?? []), toPath(place)]);
  });
  return [...places].flatMap(([node, paths]) => {
    const [outer = []] = paths;
    const inner = paths.find(
      (path) => path.length > outer.length && outer.every((key, at) => path[at] === key),
    );
    return inner === undefined ? [] : [[node, outer, inner.slice(outer.length)]];
  });
}

function toPath(place: Place | undefined): Path {
  return place === undefined ? [] : [...toPath(place.parent), place.token];
}
