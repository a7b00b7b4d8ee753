import { pointerTokens } from "../../src/base/json/pointer.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { placeOf } from "../fixtures/fixture.js";
import { type CheckedMutant, type Coverage, findKiller, survivorsOf } from "./coverage.js";
import {
  createFixture,
  type DerivedFixture,
  type PrintedFixture,
  printFixture,
} from "./fixtures.js";
import type { Direction, Evaluator } from "./mutants.js";
import { followPath, type Route } from "./places.js";
import { createSample } from "./samples.js";

export interface MissingFixtures {
  readonly created: readonly PrintedFixture[];
  /** Survivors for which no fixture could be derived. */
  readonly stuck: readonly CheckedMutant[];
}

/**
 * Fixtures that kill every survivor. Greedy: each fixture is added only if it is still needed. Valid ones
 * come first, because an invalid one is made from a valid one that reaches its place. They are added to the
 * evaluator of `coverage`. Nothing is written.
 */
export function createMissingFixtures(coverage: Coverage): MissingFixtures {
  const { evaluator } = coverage;
  const survivors = survivorsOf(coverage);
  const isTight = ({ direction }: CheckedMutant): boolean => direction === "tightened";
  const created: PrintedFixture[] = [];
  const stuck: CheckedMutant[] = [];
  const add = (derived: DerivedFixture): void => {
    const printed = printFixture(derived, evaluator);
    created.push(printed);
    evaluator.add(printed.fixture);
  };
  for (const type of typesWithoutRecord(coverage)) add(createSmallest(type, evaluator));
  for (const mutant of [
    ...survivors.filter(isTight),
    ...survivors.filter((each) => !isTight(each)),
  ]) {
    if (findKiller(mutant, evaluator) !== undefined) continue;
    const derived = createFixture(mutant, evaluator);
    if (derived === undefined) stuck.push(mutant);
    else add(derived);
  }
  return { created, stuck };
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

function createSmallest(type: string, evaluator: Evaluator): DerivedFixture {
  const { definitions } = evaluator;
  const record = createSample(definitionOf(type, definitions).node, definitions);
  const failures = evaluator.failuresOf(type, record);
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
  { schemas, mutants, evaluator }: Coverage,
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
    return printFixture(derived, evaluator);
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
