import {
  type FaultPlace,
  FileFault,
  type Finding,
  toFindings,
} from "../../src/base/findings/finding.js";
import { escapeControls } from "../../src/base/text.js";
import { readOwnSchemas } from "../../src/contract/codegen/front/own-schemas.js";
import type { Definitions, SourceSchema } from "../../src/contract/schemas/definitions.js";
import { type Fixture, type FixtureSet, placeOf } from "../fixtures/fixture.js";
import { loadFixtures } from "../fixtures/load.js";
import { SlowPattern } from "./bounded-reg-exp.js";
import { type Contradiction, findContradictions } from "./contradictions.js";
import { createFixture, printFixture } from "./fixtures.js";
import {
  type CheckedFixture,
  createAjv,
  createMutants,
  type Direction,
  Evaluator,
  isSameSet,
  type Mutant,
  splitFailure,
} from "./mutants.js";
import { isCovered, operators } from "./operators/index.js";
import { isEquivalence } from "./operators/operator.js";
import { type Location, listLocations, recordsOf } from "./places.js";

/** A mutant and its outcome. */
export interface CheckedMutant extends Mutant {
  /** The first fixture that detects it; undefined if it survives or is equivalent. */
  readonly killer: CheckedFixture | undefined;
}

/** A keyword without mutation operator, so it is unknown whether a fixture pins it. */
export interface UnknownKeyword {
  readonly location: Location;
  readonly keyword: string;
}

export interface Coverage {
  /** Those of tier "wire". */
  readonly schemas: readonly SourceSchema[];
  readonly mutants: readonly CheckedMutant[];
  readonly unknownKeywords: readonly UnknownKeyword[];
  /** Places where fixtures contradict the schemas. */
  readonly contradictions: readonly Contradiction[];
  /** Those of the schemas. */
  readonly fixtures: readonly Fixture[];
  readonly evaluator: Evaluator;
}

/**
 * Runs every mutant of the wire schemas below `root` against their fixtures. Nothing is fetched, and patterns have a
 * time limit. Throws FileFault for schemas that cannot be read, linked or checked.
 */
export function measureCoverage(root: string, set: FixtureSet): Coverage {
  const { schemas, definitions } = readOwnSchemas(root, { isForWire: true });
  const types = new Set(schemas.flatMap(({ entryTypes }) => entryTypes));
  const fixtures = set.fixtures.filter(({ type }) => types.has(type));
  try {
    return checkMutants(schemas, definitions, fixtures);
  } catch (error) {
    throw error instanceof SlowPattern ? toFault(error, definitions) : error;
  }
}

function checkMutants(
  schemas: readonly SourceSchema[],
  definitions: Definitions,
  fixtures: readonly Fixture[],
): Coverage {
  const unknownKeywords = listLocations(definitions).flatMap((location) =>
    Object.keys(location.node)
      .filter((keyword) => !isCovered(keyword))
      .map((keyword) => ({ location, keyword })),
  );
  const evaluator = new Evaluator(fixtures, definitions);
  const all = createMutants(definitions);
  if (unknownKeywords.length === 0) assertVerdicts(schemas, fixtures, evaluator);
  const mutants = all.map((mutant): CheckedMutant => {
    return { ...mutant, killer: findKiller(mutant, evaluator) };
  });
  const contradictions = findContradictions(fixtures, evaluator);
  return { schemas, mutants, unknownKeywords, contradictions, fixtures, evaluator };
}

function toFault({ pattern, message }: SlowPattern, definitions: Definitions): FileFault {
  const location = listLocations(definitions).find(({ node }) => node.pattern === pattern);
  const file = location?.definition.schema.file ?? "schema";
  const pointer = location === undefined ? "" : `${location.pointer}/pattern`;
  return new FileFault({ id: "constraint-coverage", file, pointer, message });
}

/** The first fixture that detects a mutant; undefined if it survives or is equivalent. */
export function findKiller(mutant: Mutant, evaluator: Evaluator): CheckedFixture | undefined {
  const { change, direction, location } = mutant;
  if (isEquivalence(change)) return undefined;
  return evaluator.findKiller({ node: location.node, mutant: change.mutant }, direction);
}

/** The mutants that no fixture detects. */
export function survivorsOf({ mutants }: Coverage): CheckedMutant[] {
  return mutants.filter(({ killer, change }) => killer === undefined && !isEquivalence(change));
}

/** The outcome of some mutants. */
export interface MutantCounts {
  /** All mutants except the equivalent ones. */
  readonly mutants: number;
  readonly killed: number;
  /** Mutants that no record can detect, for the reason that the operator gives. */
  readonly equivalent: number;
}

/** The mutants of one keyword in one schema. */
export interface CoverageRow {
  /** Name of the schema, such as `rollout-wire`. */
  readonly schema: string;
  readonly keyword: string;
  /** Number of places where it was mutated. */
  readonly constraints: number;
  readonly loosened: MutantCounts;
  readonly tightened: MutantCounts;
}

/** An equivalent mutant, and why no record can detect it. */
export interface ArguedMutant {
  readonly file: string;
  readonly pointer: string;
  readonly change: string;
  readonly reason: string;
}

export interface CoverageReport {
  readonly rows: readonly CoverageRow[];
  readonly equivalent: readonly ArguedMutant[];
}

/**
 * The table of `check --coverage-report` for the checkout at `root`. Throws UserError as `measureCoverage`
 * does.
 */
export function createCoverageReport(root: string): CoverageReport {
  const coverage = measureCoverage(root, loadFixtures(root));
  return { rows: toRows(coverage), equivalent: coverage.mutants.flatMap(toArgued) };
}

function toRows({ schemas, mutants }: Coverage): CoverageRow[] {
  return schemas.flatMap((schema) =>
    operators.flatMap(({ keyword }): CoverageRow[] => {
      const own = mutants.filter(
        (mutant) => mutant.keyword === keyword && mutant.location.definition.schema === schema,
      );
      if (own.length === 0) return [];
      const count = (direction: Direction): MutantCounts =>
        countMutants(own.filter((mutant) => mutant.direction === direction));
      return [
        {
          schema: schema.name,
          keyword,
          constraints: new Set(own.map(({ pointer }) => pointer)).size,
          loosened: count("loosened"),
          tightened: count("tightened"),
        },
      ];
    }),
  );
}

function countMutants(mutants: readonly CheckedMutant[]): MutantCounts {
  const equivalent = mutants.filter(({ change }) => isEquivalence(change)).length;
  const killed = mutants.filter(({ killer }) => killer !== undefined).length;
  return { mutants: mutants.length - equivalent, killed, equivalent };
}

function toArgued({ location, pointer, change }: CheckedMutant): ArguedMutant[] {
  if (!isEquivalence(change)) return [];
  const { file } = location.definition.schema;
  return [{ file, pointer, change: change.change, reason: change.reason }];
}

/** Id of all findings of this check. */
const id = "constraint-coverage";

/**
 * One finding for each surviving mutant, with a fixture that would kill it; for each keyword without mutation
 * operator; and for each contradiction between fixtures and schemas.
 */
export function findSurvivors(root: string, coverage: Coverage): Finding[] {
  const survivors = survivorsOf(coverage).map((mutant) => ({
    id,
    file: mutant.location.definition.schema.file,
    pointer: mutant.pointer,
    message: describeSurvivor(mutant),
    detail: printProposal(mutant, coverage),
  }));
  return toFindings(root, [...findUnknown(coverage), ...findContradicted(coverage), ...survivors]);
}

function findUnknown({ unknownKeywords }: Coverage): FaultPlace[] {
  return unknownKeywords.map(({ location: { definition, pointer }, keyword }) => ({
    id,
    file: definition.schema.file,
    pointer: `${pointer}/${keyword}`,
    message: `no mutation operator for "${keyword}": it is unknown whether a fixture pins it`,
  }));
}

function findContradicted({ contradictions, evaluator }: Coverage): FaultPlace[] {
  const locations = new Map(listLocations(evaluator.definitions).map((each) => [each.node, each]));
  return contradictions.map(({ fixture, node, keyword, message }) => {
    const location = node === undefined ? undefined : locations.get(node);
    if (location === undefined)
      return { id, file: fixture.file, pointer: fixture.pointer, message };
    const pointer = `${location.pointer}${keyword === undefined ? "" : `/${keyword}`}`;
    return { id, file: location.definition.schema.file, pointer, message };
  });
}

function describeSurvivor({ direction, change }: CheckedMutant): string {
  const lack =
    direction === "loosened"
      ? "no invalid fixture gives a different result"
      : "no valid fixture fails";
  return `${lack} if the schema ${change.change}`;
}

function printProposal(mutant: CheckedMutant, { evaluator }: Coverage): string {
  const derived = createFixture(mutant, evaluator);
  if (derived === undefined) return "no fixture could be derived: write one by hand";
  const { file, kind, text } = printFixture(derived, evaluator);
  return [`${file}#/${kind}`, ...text.split("\n")].map(escapeControls).join("\n");
}

/**
 * The evaluator looks at one node at a time. This compares its verdict on every fixture with Ajv's verdict by
 * the whole schemas, and throws if they differ, which is a bug here.
 */
export function assertVerdicts(
  schemas: readonly SourceSchema[],
  fixtures: readonly Fixture[],
  evaluator: Evaluator,
): void {
  const ajv = createAjv();
  for (const { document } of schemas) ajv.addSchema(document);
  for (const fixture of fixtures) {
    const { type, content } = fixture;
    const id = schemas.find(({ entryTypes }) => entryTypes.includes(type))?.id;
    const validate = ajv.getSchema(`${id}#/$defs/${type}`);
    if (validate === undefined) throw new Error(`no schema has the type ${type}`);
    for (const record of recordsOf(content)) {
      validate(record);
      const whole = (validate.errors ?? []).map(
        ({ instancePath, keyword }) => `${instancePath} ${keyword}`,
      );
      // Of a value of the wrong type, the evaluator says nothing else.
      const told = whole.filter((each) => {
        const [pointer, keyword] = splitFailure(each);
        return keyword === "type" || !whole.includes(`${pointer} type`);
      });
      if (isSameSet(new Set(told), evaluator.failuresOf(type, record))) continue;
      throw new Error(
        `the coverage of ${placeOf(fixture)} ${fixture.name} has a different verdict than its whole schema`,
      );
    }
  }
}
