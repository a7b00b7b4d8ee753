import { FileFault } from "../../src/findings/finding.js";
import type { Fixture } from "../fixtures/fixture.js";
import { type Definitions, linkDefinitions } from "../schemas/link-definitions.js";
import type { SourceSchema } from "../schemas/load-schemas.js";
import { readSchemas } from "../schemas/read-schemas.js";
import { assertRefsEnd } from "./assert-refs-end.js";
import { assertVerdicts } from "./assert-verdicts.js";
import { SlowPattern } from "./bounded-reg-exp.js";
import { createMutants, type Mutant } from "./create-mutants.js";
import { type Contradiction, findContradictions } from "./find-contradictions.js";
import { Judge, type JudgedFixture } from "./judge.js";
import { type Location, listLocations } from "./list-locations.js";
import { isCovered } from "./operators/index.js";
import { isEquivalence } from "./operators/operator.js";

/** What became of a mutant. */
export interface JudgedMutant extends Mutant {
  /** The first fixture that tells it; undefined for one that survives, or is equivalent. */
  readonly killer: JudgedFixture | undefined;
}

/** A keyword of which no mutants are made, so that nobody knows whether a fixture pins it. */
export interface UnknownKeyword {
  readonly location: Location;
  readonly keyword: string;
}

export interface Coverage {
  readonly schemas: readonly SourceSchema[];
  readonly mutants: readonly JudgedMutant[];
  readonly unknownKeywords: readonly UnknownKeyword[];
  /** Where the fixtures expect what the schemas do not say. */
  readonly contradictions: readonly Contradiction[];
  readonly judge: Judge;
}

/**
 * Judges every mutant of the schemas below `root` by `fixtures`. Nothing is fetched, and no pattern
 * may take for ever. Throws FileFault for schemas that cannot be read, linked or judged.
 */
export function measureCoverage(root: string, fixtures: readonly Fixture[]): Coverage {
  const schemas = readSchemas(root);
  const definitions = linkDefinitions(schemas);
  assertRefsEnd(definitions);
  try {
    return judgeMutants(schemas, definitions, fixtures);
  } catch (error) {
    throw error instanceof SlowPattern ? toFault(error, definitions) : error;
  }
}

function judgeMutants(
  schemas: readonly SourceSchema[],
  definitions: Definitions,
  fixtures: readonly Fixture[],
): Coverage {
  const unknownKeywords = listLocations(definitions).flatMap((location) =>
    Object.keys(location.node)
      .filter((keyword) => !isCovered(keyword))
      .map((keyword) => ({ location, keyword })),
  );
  const judge = new Judge(fixtures, definitions);
  if (unknownKeywords.length === 0) assertVerdicts(schemas, fixtures, judge);
  const mutants = createMutants(definitions).map((mutant): JudgedMutant => {
    return { ...mutant, killer: findKiller(mutant, judge) };
  });
  const contradictions = findContradictions(fixtures, judge);
  return { schemas, mutants, unknownKeywords, contradictions, judge };
}

function toFault({ pattern, message }: SlowPattern, definitions: Definitions): FileFault {
  const location = listLocations(definitions).find(({ node }) => node.pattern === pattern);
  const file = location?.definition.schema.file ?? "schema";
  const pointer = location === undefined ? "" : `${location.pointer}/pattern`;
  return new FileFault({ id: "constraint-coverage", file, pointer, message });
}

/** The first fixture that tells a mutant; undefined when it survives, or is equivalent. */
export function findKiller(mutant: Mutant, judge: Judge): JudgedFixture | undefined {
  const { change, direction, location } = mutant;
  if (isEquivalence(change)) return undefined;
  return judge.findKiller({ node: location.node, mutant: change.mutant }, direction);
}

/** The mutants that no fixture tells. */
export function survivorsOf({ mutants }: Coverage): JudgedMutant[] {
  return mutants.filter(({ killer, change }) => killer === undefined && !isEquivalence(change));
}
