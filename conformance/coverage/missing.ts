import { pointerTokens } from "../../src/base/json/pointer.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { placeOf } from "../fixtures/fixture.js";
import { type CheckedMutant, type Coverage, findKiller } from "./coverage.js";
import { solveType, validatorByAjv } from "./distinguish.js";
import {
  createFixture,
  type DerivedFixture,
  type PrintedFixture,
  printFixture,
  sampleOf,
} from "./fixtures.js";
import type { Direction, Evaluator } from "./mutants.js";
import { isEquivalence } from "./operators/operator.js";
import { followPath, type Route } from "./places.js";
import { solveFixture } from "./solve-fixture.js";

export interface MissingFixtures {
  readonly created: readonly PrintedFixture[];
  /** Survivors for which no fixture could be derived. */
  readonly stuck: readonly CheckedMutant[];
  /** Entry types of which no valid record could be derived. */
  readonly bare: readonly string[];
}

/**
 * Fixtures that kill every survivor. Greedy: each fixture is added only if it is still needed. Valid ones
 * come first, because an invalid one is made from a valid one that reaches its place. They are added to the
 * evaluator of `coverage`. Each suite has a base, although examples in files of their own may be there. Ajv has the same
 * verdict on all of them. Nothing is written.
 */
export function createMissingFixtures(coverage: Coverage): MissingFixtures {
  const { evaluator, folder } = coverage;
  const suites = new Set(coverage.fixtures.flatMap(({ type, isBase }) => (isBase ? [type] : [])));
  const survivors = coverage.mutants.filter(
    ({ killer, change }) => killer === undefined && !isEquivalence(change),
  );
  const isTight = ({ direction }: CheckedMutant): boolean => direction === "tightened";
  const created: PrintedFixture[] = [];
  const stuck: CheckedMutant[] = [];
  const append = (derived: DerivedFixture | undefined): boolean => {
    if (derived === undefined || !isAgreed(derived, evaluator)) return false;
    if (!suites.has(derived.type) && derived.kind === "invalid") return false;
    suites.add(derived.type);
    const printed = printFixture(derived, evaluator, folder);
    created.push(printed);
    evaluator.add(printed.fixture);
    return true;
  };
  const lacking = typesWithoutRecord(coverage);
  const bare = lacking.filter((type) => !append(createSmallest(type, evaluator)));
  for (const mutant of [
    ...survivors.filter(isTight),
    ...survivors.filter((each) => !isTight(each)),
  ]) {
    if (findKiller(mutant, evaluator) !== undefined) continue;
    const derived = derive(mutant, evaluator);
    if (derived !== undefined && !suites.has(derived.type)) {
      append(createSmallest(derived.type, evaluator));
      if (findKiller(mutant, evaluator) !== undefined) continue;
    }
    if (!append(derived) && mutant.proof === undefined) stuck.push(mutant);
  }
  return { created, stuck, bare };
}

/** Of a mutant with the same verdict on every record, the solver knows none; records that fail in another way may be near. */
function derive(mutant: CheckedMutant, evaluator: Evaluator): DerivedFixture | undefined {
  const derived = createFixture(mutant, evaluator);
  return derived ?? (mutant.proof === undefined ? solveFixture(mutant, evaluator) : undefined);
}

/** Whether Ajv has the same verdict. */
function isAgreed({ type, record, kind }: DerivedFixture, { definitions }: Evaluator): boolean {
  return (kind === "valid") === validatorByAjv(type, definitions)(record);
}

/** Entry types without a valid record to start from. */
function typesWithoutRecord({ schemas, evaluator }: Coverage): string[] {
  const types = schemas.flatMap(({ entryTypes }) => entryTypes);
  return types.filter((type) => {
    const reaches = evaluator.reachesOf(definitionOf(type, evaluator.definitions).node);
    return !reaches.some(
      ({ checked: { fixture } }) => fixture.type === type && fixture.kind === "valid",
    );
  });
}

/** The smallest valid record of a type; undefined if none is found. */
export function createSmallest(type: string, evaluator: Evaluator): DerivedFixture | undefined {
  const found = [...sampleOf(type, evaluator), ...[solveType(type, evaluator.definitions)]];
  const records = found.flatMap((each) => ("record" in each ? [each.record] : []));
  const record = records.find((each) => evaluator.failuresOf(type, each).size === 0);
  if (record === undefined) return undefined;
  const failures = new Set<string>();
  const why = `The smallest ${type}: it has what is required, and nothing else.`;
  return {
    ...{ type, kind: "valid", names: ["smallest"], why, record, failures },
    origin: undefined,
  };
}

/** A constraint as a user names it. */
export interface WantedFixture {
  readonly type: string;
  /** JSON Pointer into the record; for `required` and `properties`, that of the field. */
  readonly pointer: string;
  readonly keyword: string;
  /** Whether the fixture must detect a looser mutant (an invalid fixture) or a tighter one. */
  readonly direction: Direction;
}

/** The smallest fixture for one constraint. Throws UserError if the schema has no such constraint. */
export function proposeFixture(
  wanted: WantedFixture,
  { schemas, mutants, evaluator, folder }: Coverage,
): PrintedFixture {
  const types = schemas.flatMap(({ entryTypes }) => entryTypes);
  if (!types.includes(wanted.type)) {
    throw refuse(`${wanted.type} is not an entry type: use one of ${types.join(", ")}`);
  }
  if (!/^(\/|$)/.test(wanted.pointer)) {
    throw refuse(`${wanted.pointer} is not a JSON Pointer: write /${wanted.pointer}`);
  }
  const candidates = routesTo(wanted, evaluator.definitions).flatMap(({ nodes, field, ...route }) =>
    mutants
      .filter(({ location }) => nodes.includes(location.node))
      .filter(({ direction }) => direction === wanted.direction)
      .filter((mutant) => field === undefined || isAbout(mutant, field))
      .map((mutant) => ({ mutant, route })),
  );
  const chosen = candidates.filter(({ mutant: { keyword } }) => keyword === wanted.keyword);
  if (chosen.length === 0) {
    const keywords = [...new Set(candidates.map(({ mutant: { keyword } }) => keyword))];
    const place = `${wanted.type} ${wanted.pointer || "as a whole"}`;
    throw refuse(
      keywords.length === 0
        ? `${place}: the schema does not describe this place`
        : `${place} has no "${wanted.keyword}": name one of ${keywords.join(", ")}`,
    );
  }
  for (const { mutant, route } of chosen) {
    const derived = createFixture(mutant, evaluator, route);
    if (derived === undefined) continue;
    const twin = evaluator.findTwin(derived.type, derived.record);
    if (twin !== undefined) throw refuse(`${placeOf(twin)} (${twin.name}) is that fixture`);
    return printFixture(derived, evaluator, folder);
  }
  throw refuse("no fixture could be derived for it: write one by hand");
}

interface NamedRoute extends Route {
  readonly nodes: readonly CheckedMutant["location"]["node"][];
  /** Set if the constraint belongs to the object that contains the place. */
  readonly field?: string;
}

/** The place itself, and the object that has it as a field. */
function routesTo({ type, pointer }: WantedFixture, definitions: Definitions): NamedRoute[] {
  const path = pointerTokens(pointer);
  const itself = followPath(type, path, definitions);
  const field = path.at(-1);
  const holder = field === undefined ? undefined : followPath(type, path.slice(0, -1), definitions);
  return [
    ...(itself === undefined ? [] : [itself]),
    ...(holder === undefined || field === undefined ? [] : [{ ...holder, field }]),
  ];
}

function isAbout({ change }: CheckedMutant, field: string): boolean {
  return "witnesses" in change && change.witnesses.some((witness) => witness.field === field);
}

function refuse(problem: string): UserError {
  return new UserError(problem, EXIT.usage);
}
