import { refsOf } from "../../src/contract/codegen/definitions.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { distinguish } from "./distinguish.js";
import type { DerivedFixture } from "./fixtures.js";
import type { Evaluator, Mutant } from "./mutants.js";
import { isEquivalence } from "./operators/operator.js";
import { toKebabCase } from "./places.js";

/** How many entry types that contain a definition are asked for a record, besides itself. */
const MAX_ENTRIES = 2;

/**
 * A record that detects `mutant` as the solver of `diff` finds it, whatever keywords are around it; undefined if it finds
 * none. It is of an entry type, if such a one can contain the place, else of the definition itself.
 */
export function solveFixture(mutant: Mutant, evaluator: Evaluator): DerivedFixture | undefined {
  const { change, location, direction, keyword } = mutant;
  if (isEquivalence(change)) return undefined;
  const { definitions } = evaluator;
  const swap = { node: location.node, mutant: change.mutant, direction };
  const own = location.definition.name;
  const entries = entriesWith(own, definitions).slice(0, MAX_ENTRIES);
  for (const type of new Set([...entries, own])) {
    const found = distinguish(type, swap, direction === "loosened", definitions);
    if (found.kind !== "record") continue;
    const { record } = found;
    const failures = evaluator.failuresOf(type, record);
    const kind = failures.size === 0 ? "valid" : "invalid";
    if (!evaluator.tells(type, record, failures, swap)) continue;
    if (kind === "valid" && evaluator.breaksRule(type, record)) continue;
    const words = [keyword, ...location.path.filter((token) => !/^\d+$/.test(token)).slice(-2)];
    const verdict = kind === "valid" ? "Valid, and not" : "Invalid, and valid";
    const why = `${verdict} if ${own}${location.pointer} ${change.change}.`;
    const name = words
      .map(toKebabCase)
      .filter((word) => word !== "")
      .join("-");
    return { type, kind, record, failures, names: [name], why, origin: undefined };
  }
  return undefined;
}

/** The entry types whose records may hold a value of a definition. */
function entriesWith(name: string, definitions: Definitions): string[] {
  const reaches = (from: string): boolean => {
    const met = new Set([from]);
    for (const each of met) {
      for (const ref of refsOf(definitionOf(each, definitions).node)) met.add(ref);
    }
    return met.has(name);
  };
  const entries = [...definitions.values()].filter(({ name: type, schema }) =>
    schema.entryTypes.includes(type),
  );
  return entries.flatMap(({ name: type }) => (reaches(type) ? [type] : []));
}
