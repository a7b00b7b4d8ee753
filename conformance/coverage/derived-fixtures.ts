import { entryTypes } from "#generated/index.js";
import type { Fixture } from "../fixtures/fixture.js";
import { createFixture, type DerivedFixture, nameFixture, toExpected } from "./fixtures.js";
import type { Evaluator, Mutant } from "./mutants.js";

/** A derived record is in no file, so findings point to the constraint. */
const NOWHERE: ReadonlyMap<string, string> = new Map();

export interface DerivedTypes {
  readonly types: ReadonlySet<string>;
  /** The text of a schema's file. */
  readSchema(file: string): string;
}

/**
 * An invalid fixture for each looser mutant and each of `types` whose valid fixtures reach its place. Each is
 * made from a valid one and detects the mutant. Without duplicates, and the same in each run. They are in no
 * file, so their position is that of the constraint.
 */
export function deriveFixtures(
  mutants: readonly Mutant[],
  evaluator: Evaluator,
  { types, readSchema }: DerivedTypes,
): Fixture[] {
  if (types.size === 0) return [];
  const fixtures: Fixture[] = [];
  const names = new Set<string>();
  const records = new Set<string>();
  for (const mutant of mutants) {
    if (mutant.direction !== "loosened") continue;
    for (const type of reachingTypes(mutant, evaluator, types)) {
      const derived = createFixture(mutant, evaluator, type);
      if (derived === undefined) continue;
      const record = `${type} ${JSON.stringify(derived.record)}`;
      if (records.has(record)) continue;
      records.add(record);
      const isTaken = (name: string): boolean =>
        names.has(`${type}/${name}`) || evaluator.hasName(type, name);
      const name = nameFixture(derived.names, isTaken);
      names.add(`${type}/${name}`);
      fixtures.push(...toFixture(derived, mutant, name, readSchema));
    }
  }
  return fixtures;
}

/** Those of the types with a fixture that has the mutant's place. */
function reachingTypes(
  { location }: Mutant,
  evaluator: Evaluator,
  types: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = evaluator.reachesOf(location.node).map(({ checked }) => checked.fixture.type);
  return new Set(reached.filter((type) => types.has(type)));
}

/** None for a type that the generated code does not have, because nothing else can evaluate it. */
function toFixture(
  derived: DerivedFixture,
  { location, pointer }: Mutant,
  name: string,
  readSchema: DerivedTypes["readSchema"],
): Fixture[] {
  const type = entryTypes.find((entry) => entry.name === derived.type)?.name;
  if (type === undefined) return [];
  const { file } = location.definition.schema;
  const { kind, why, record, failures } = derived;
  const place = { file, source: readSchema(file), pointer, given: NOWHERE };
  const content = { record };
  return [
    { type, kind, name, ...place, isBase: false, why, content, expect: toExpected(failures) },
  ];
}
