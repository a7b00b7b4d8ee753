import { pointerTokens } from "../../src/json/pointer.js";
import { EXIT, UserError } from "../../src/user-error.js";
import type { Definitions } from "../schemas/link-definitions.js";
import { createFixture } from "./create-fixture.js";
import type { Route } from "./find-route.js";
import { followPath } from "./follow-path.js";
import type { Direction } from "./judge.js";
import type { Coverage, JudgedMutant } from "./measure-coverage.js";
import { type PrintedFixture, printFixture } from "./print-fixture.js";

/** A constraint as a person names it. */
export interface WantedFixture {
  readonly type: string;
  /** JSON Pointer into the record; for `required` and `properties` that of the field. */
  readonly pointer: string;
  readonly keyword: string;
  /** Whether the fixture shall tell a looser mutant (an invalid one), or a tighter one. */
  readonly direction: Direction;
}

/** The smallest fixture for one constraint. Throws UserError when the schema has no such constraint. */
export function proposeFixture(
  wanted: WantedFixture,
  { schemas, mutants, judge }: Coverage,
  exists: (file: string) => boolean,
): PrintedFixture {
  const types = schemas.flatMap(({ entryTypes }) => entryTypes);
  if (!types.includes(wanted.type)) {
    throw refuse(`${wanted.type} is no entry type: name one of ${types.join(", ")}`);
  }
  if (!/^(\/|$)/.test(wanted.pointer)) {
    throw refuse(`${wanted.pointer} is no JSON Pointer: write /${wanted.pointer}`);
  }
  const candidates = routesTo(wanted, judge.definitions).flatMap(({ nodes, field, ...route }) =>
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
        ? `${place}: the schema says nothing of this place`
        : `${place} has no "${wanted.keyword}": name one of ${keywords.join(", ")}`,
    );
  }
  for (const { mutant, route } of chosen) {
    const derived = createFixture(mutant, judge, route);
    if (derived === undefined) continue;
    const twin = judge.findTwin(derived.type, derived.record);
    if (twin !== undefined) throw refuse(`${twin.file} is that fixture`);
    return printFixture(derived, exists);
  }
  throw refuse("no fixture could be derived for it: write one by hand");
}

interface NamedRoute extends Route {
  readonly nodes: readonly JudgedMutant["location"]["node"][];
  /** Set when the constraint stands at the object that holds the place. */
  readonly field?: string;
}

/** The place itself, and the object of which it is a field. */
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

function isAbout({ change }: JudgedMutant, field: string): boolean {
  return "witnesses" in change && change.witnesses.some((witness) => witness.field === field);
}

function refuse(problem: string): UserError {
  return new UserError(problem, EXIT.usage);
}
