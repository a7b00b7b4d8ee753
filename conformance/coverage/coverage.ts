import {
  type FaultPlace,
  type Finding,
  throwFaults,
  toFindings,
} from "../../src/base/findings/finding.js";
import { escapeControls } from "../../src/base/text.js";
import type { LinkedSchemas } from "../../src/contract/codegen/front/link-files.js";
import { readOwnSchemas } from "../../src/contract/codegen/front/own-schemas.js";
import { findProfileFaults } from "../../src/contract/codegen/profile.js";
import type { SourceSchema } from "../../src/contract/schemas/definitions.js";
import { findFaults } from "../fixtures/faults.js";
import { type Fixture, type FixtureSet, placeOf, SUITES_FOLDER } from "../fixtures/fixture.js";
import { type Contradiction, findContradictions } from "./contradictions.js";
import { createAjv, distinguish } from "./distinguish.js";
import { createFixture, printFixture } from "./fixtures.js";
import {
  type CheckedFixture,
  createMutants,
  Evaluator,
  isSameSet,
  type Mutant,
  splitFailure,
} from "./mutants.js";
import { isCovered } from "./operators/index.js";
import { isEquivalence } from "./operators/operator.js";
import { type Location, listLocations, recordsOf } from "./places.js";
import { solveFixture } from "./solve-fixture.js";

/** A mutant and its outcome. */
export interface CheckedMutant extends Mutant {
  /** The first fixture that detects it; undefined if it survives or is equivalent. */
  readonly killer: CheckedFixture | undefined;
  /** Why no record can detect it, where that was proved; undefined if some may. */
  readonly proof: string | undefined;
}

/** A keyword without mutation operator, so it is unknown whether a fixture pins it. */
export interface UnknownKeyword {
  readonly location: Location;
  readonly keyword: string;
}

export interface Coverage {
  /** Of our own, those of tier "wire". */
  readonly schemas: readonly SourceSchema[];
  readonly linked: LinkedSchemas;
  /** Folder of the suites. */
  readonly folder: string;
  readonly mutants: readonly CheckedMutant[];
  readonly unknownKeywords: readonly UnknownKeyword[];
  /** Places where fixtures contradict the schemas. */
  readonly contradictions: readonly Contradiction[];
  /** Those of the schemas. */
  readonly fixtures: readonly Fixture<string>[];
  readonly evaluator: Evaluator;
}

/**
 * Runs every mutant of the wire schemas below `root` against their fixtures, which are ours. Nothing is fetched. Throws
 * FileFault for schemas that cannot be read or linked, or whose patterns may take very long.
 */
export function measureOwnCoverage(root: string, set: FixtureSet): Coverage {
  const linked = readOwnSchemas(root, { isForWire: true });
  throwFaults(findProfileFaults(linked));
  const { schemas } = linked;
  const types = new Set<string>(schemas.flatMap(({ entryTypes }) => entryTypes));
  const fixtures = set.fixtures.filter(({ type }) => types.has(type));
  // A valid fixture must also pass the semantic rules, which are no part of the schema.
  const breaksRule = (type: string, record: unknown): boolean =>
    findFaults({ type, file: "", content: { record } }).length > 0;
  const coverage = measureCoverage(linked, fixtures, { folder: SUITES_FOLDER, breaksRule });
  if (coverage.unknownKeywords.length === 0) {
    assertVerdicts(schemas, fixtures, coverage.evaluator);
  }
  return coverage;
}

export interface CoverageOptions {
  /** Folder of the suites. */
  readonly folder: string;
  /** Default: there are no rules beside the schemas. */
  readonly breaksRule?: Evaluator["breaksRule"];
}

/** Runs every mutant of schemas in the profile against their fixtures. */
export function measureCoverage(
  linked: LinkedSchemas,
  fixtures: readonly Fixture<string>[],
  { folder, breaksRule }: CoverageOptions,
): Coverage {
  const { schemas, definitions } = linked;
  const unknownKeywords = listLocations(definitions).flatMap((location) =>
    Object.keys(location.node)
      .filter((keyword) => !isCovered(keyword))
      .map((keyword) => ({ location, keyword })),
  );
  const evaluator = new Evaluator(fixtures, definitions, breaksRule);
  const mutants = createMutants(linked).map((mutant): CheckedMutant => {
    const killer = findKiller(mutant, evaluator);
    const isDone = killer !== undefined || isEquivalence(mutant.change);
    const proof = isDone ? undefined : findProof(mutant, evaluator);
    return { ...mutant, killer, proof };
  });
  const contradictions = findContradictions(fixtures, evaluator);
  return { schemas, linked, folder, mutants, unknownKeywords, contradictions, fixtures, evaluator };
}

/** Why no record can detect a mutant: the solver of `diff` finds none. It is asked where nothing simpler detects it. */
function findProof(mutant: Mutant, evaluator: Evaluator): string | undefined {
  const { change, location, direction } = mutant;
  if (isEquivalence(change) || createFixture(mutant, evaluator) !== undefined) return undefined;
  const swap = { node: location.node, mutant: change.mutant };
  const type = location.definition.name;
  const { kind } = distinguish(type, swap, direction === "loosened", evaluator.definitions);
  return kind === "none"
    ? "every record has the same verdict, as the solver of diff proves"
    : undefined;
}

/** The first fixture that detects a mutant; undefined if it survives or is equivalent. */
export function findKiller(mutant: Mutant, evaluator: Evaluator): CheckedFixture | undefined {
  const { change, direction, location } = mutant;
  if (isEquivalence(change)) return undefined;
  return evaluator.findKiller({ node: location.node, mutant: change.mutant, direction });
}

/** Whether no record can detect a mutant, so that none has to. */
export function isUndetectable({ change, proof }: CheckedMutant): boolean {
  return proof !== undefined || isEquivalence(change);
}

/** The mutants that no fixture detects. */
export function survivorsOf({ mutants }: Coverage): CheckedMutant[] {
  return mutants.filter((each) => each.killer === undefined && !isUndetectable(each));
}

/** Whether fixtures kill a share of the mutants that is at least `least`, from 0 to 1; what was not measured is not killed. */
export function isEnough(coverage: Coverage, least: number): boolean {
  const { mutants, unknownKeywords } = coverage;
  const all = mutants.filter((each) => !isUndetectable(each)).length + unknownKeywords.length;
  const killed = mutants.filter(({ killer }) => killer !== undefined).length;
  return all > 0 && killed >= least * all;
}

/** Id of all findings of this check. */
const id = "constraint-coverage";

/** Of more survivors, nobody writes fixtures by hand. */
const MAX_PROPOSALS = 10;

/**
 * One finding for each surviving mutant, with a fixture that would kill it; for each keyword without mutation
 * operator; and for each contradiction between fixtures and schemas.
 */
export function findSurvivors(root: string, coverage: Coverage): Finding[] {
  const all = survivorsOf(coverage);
  const survivors = all.map((mutant) => ({
    id,
    file: mutant.location.definition.schema.file,
    pointer: mutant.pointer,
    message: describeSurvivor(mutant),
    ...(all.length <= MAX_PROPOSALS && { detail: printProposal(mutant, coverage) }),
  }));
  return toFindings(root, [...findUnknown(coverage), ...findContradicted(coverage), ...survivors]);
}

function findUnknown({ unknownKeywords, linked }: Coverage): FaultPlace[] {
  return unknownKeywords.map(({ location: { node }, keyword }) => ({
    id,
    ...linked.placeOf(node, keyword),
    message: `no mutation operator for "${keyword}": it is unknown whether a fixture pins it`,
  }));
}

function findContradicted({ contradictions, linked }: Coverage): FaultPlace[] {
  return contradictions.map(({ fixture, node, keyword, message }) => {
    if (node === undefined) return { id, file: fixture.file, pointer: fixture.pointer, message };
    return { id, ...linked.placeOf(node, ...(keyword === undefined ? [] : [keyword])), message };
  });
}

function describeSurvivor({ direction, change }: CheckedMutant): string {
  const lack =
    direction === "loosened"
      ? "no invalid fixture gives a different result"
      : "no valid fixture fails";
  return `${lack} if the schema ${change.change}`;
}

function printProposal(mutant: CheckedMutant, { evaluator, folder }: Coverage): string {
  const derived = createFixture(mutant, evaluator) ?? solveFixture(mutant, evaluator);
  if (derived === undefined) return "no fixture could be derived: write one by hand";
  const { file, kind, text } = printFixture(derived, evaluator, folder);
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
