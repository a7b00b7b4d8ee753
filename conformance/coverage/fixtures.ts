import { isDeepStrictEqual } from "node:util";
import type { ExpectedFault, FixtureCase } from "#generated/index.js";
import { pointerTokens } from "../../src/base/json/pointer.js";
import { UserError } from "../../src/base/user-error.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import type { FixtureKind } from "../fixtures/fixture.js";
import { suiteFileOf } from "../fixtures/fixture.js";
import { createEdit, printCase } from "../fixtures/suite.js";
import {
  type CheckedFixture,
  type CheckedRecord,
  type Evaluator,
  type Mutant,
  type Reach,
  splitFailure,
} from "./mutants.js";
import { isEquivalence, type Mutation, type Witness } from "./operators/operator.js";
import {
  describePlace,
  findRoute,
  type ReachedPlace,
  type Route,
  reachPlace,
  replaceAt,
  toKebabCase,
  valueAt,
} from "./places.js";
import { createSample } from "./samples.js";

/** A fixture that detects a mutant, ready to be written. */
export interface DerivedFixture {
  readonly type: string;
  readonly kind: FixtureKind;
  /** Possible names of the case, the shortest first. */
  readonly names: readonly string[];
  readonly why: string;
  readonly record: unknown;
  /** The valid fixture that it was made from; undefined if it was made from the schema alone. */
  readonly origin: CheckedFixture | undefined;
  /** Failures of the record, each as `pointer keyword`. */
  readonly failures: ReadonlySet<string>;
}

/** A valid record, and the place in it that a mutant is about. */
interface Base extends ReachedPlace {
  readonly type: string;
  /** The fixture that has the record, or most of it. */
  readonly origin: CheckedFixture | undefined;
}

/** How many valid records are tried, smallest first. */
const MAX_BASES = 4;

/**
 * The smallest change of a valid record that detects `mutant`: a fixture with all failures under the schema
 * if the mutant is looser, or a valid one if it is tighter. Undefined if none of the operator's witnesses
 * works.
 *
 * The record is a valid fixture that reaches the place, so that the two differ by this change only. If no
 * fixture reaches it, the missing parts are derived from the schema.
 */
export function createFixture(
  mutant: Mutant,
  evaluator: Evaluator,
  wanted?: Route,
): DerivedFixture | undefined {
  const { change } = mutant;
  if (isEquivalence(change)) return undefined;
  let best: DerivedFixture | undefined;
  for (const base of basesFor(mutant, evaluator, wanted)) {
    for (const witness of change.witnesses) {
      const derived = tryWitness(base, witness, change, mutant, evaluator);
      // A fixture shows one fault: a fixture with several failures is not used.
      if (derived !== undefined && derived.failures.size <= 1) return derived;
      best ??= derived;
    }
  }
  return best;
}

/** Valid records that reach the place: fixtures first, smaller ones before larger ones. */
function* basesFor(
  { location: { node } }: Mutant,
  evaluator: Evaluator,
  wanted: Route | undefined,
): Generator<Base> {
  const route = wanted ?? findRoute(node, evaluator.definitions);
  if (wanted === undefined) {
    const reaches = validRecords(evaluator.reachesOf(node));
    const near = reaches.filter(({ type }) => type === route?.type);
    const far = reaches.filter(({ type }) => type !== route?.type);
    yield* [...near, ...far].slice(0, MAX_BASES);
  }
  if (route === undefined) return;
  const { type, steps } = route;
  const root = definitionOf(type, evaluator.definitions).node;
  const bases = validRecords(evaluator.reachesOf(root)).filter((reach) => reach.type === type);
  const reached = [...bases, ...sampleOf(type, evaluator)].map(({ record, origin }) => {
    const place = reachPlace(record, steps, evaluator.definitions);
    return { ...place, type, origin, isThere: isDeepStrictEqual(place.record, record) };
  });
  yield* reached.toSorted((a, b) => Number(b.isThere) - Number(a.isThere)).slice(0, MAX_BASES);
}

/** The smallest record of a type, if it has one. */
export function sampleOf(
  type: string,
  { definitions }: Evaluator,
): { readonly record: unknown; readonly origin: undefined }[] {
  try {
    const record = createSample(definitionOf(type, definitions).node, definitions);
    return [{ record, origin: undefined }];
  } catch (error) {
    // A type that contains itself has none.
    if (error instanceof UserError) return [];
    throw error;
  }
}

/**
 * Fewest parts first; with equal parts, the longest text first. A boundary fixture is shorter than the one it
 * was made from, which is the better one to start from.
 */
function validRecords(reaches: readonly Reach[]): Base[] {
  return reaches
    .filter(({ checked: { fixture, failures } }) => fixture.kind === "valid" && failures.size === 0)
    .filter(({ checked: { fixture } }) => "record" in fixture.content)
    .map(({ checked, pointers: [pointer] }) => ({ checked, pointer, size: sizeOf(checked) }))
    .toSorted((a, b) => a.size.parts - b.size.parts || b.size.length - a.size.length)
    .map(({ checked: { fixture, record }, pointer }) => ({
      type: fixture.type,
      record,
      origin: fixture,
      path: pointerTokens(pointer),
    }));
}

interface Size {
  readonly parts: number;
  readonly length: number;
}

/** A record is asked for its size once for each mutant. */
const sizes = new WeakMap<CheckedRecord, Size>();

function sizeOf(checked: CheckedRecord): Size {
  const known = sizes.get(checked);
  if (known !== undefined) return known;
  const { record } = checked;
  const size = { parts: countParts(record), length: JSON.stringify(record).length };
  sizes.set(checked, size);
  return size;
}

function countParts(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countParts(part), 1);
}

function tryWitness(
  { type, record: valid, path, origin }: Base,
  witness: Witness,
  { mutant: node }: Mutation,
  { location, direction }: Mutant,
  evaluator: Evaluator,
): DerivedFixture | undefined {
  const record = replaceAt(valid, path, witness.toValue(valueAt(valid, path)));
  const failures = evaluator.failuresOf(type, record);
  const kind = failures.size === 0 ? "valid" : "invalid";
  if (kind !== (direction === "loosened" ? "invalid" : "valid")) return undefined;
  if (kind === "valid" && evaluator.breaksRule(type, record)) return undefined;
  const swap = { node: location.node, mutant: node, direction };
  if (!evaluator.tells(type, record, failures, swap)) return undefined;
  const place = witness.field === undefined ? path : [...path, witness.field];
  return {
    type,
    kind,
    record,
    origin,
    failures,
    ...describe(type, place, witness, evaluator.definitions),
  };
}

function describe(
  type: string,
  path: readonly string[],
  { name, why }: Witness,
  definitions: Definitions,
): Pick<DerivedFixture, "names" | "why"> {
  const { names, phrase, meaning } = describePlace(type, path, definitions);
  const words = names.map(toKebabCase);
  const places = words.map((_, index) =>
    words
      .slice(0, index + 1)
      .toReversed()
      .join("-"),
  );
  return {
    names: places.map((place) => name.replace("%", () => place)),
    why: `${why.replace("%", () => phrase)}${meaning === "" ? "" : `: ${meaning}`}.`,
  };
}

/** A case that a suite lacks. */
export interface PrintedFixture {
  readonly type: string;
  readonly kind: FixtureKind;
  /** The suite's file, as a path from the repository's root with forward slashes. */
  readonly file: string;
  readonly value: FixtureCase;
  /** The case in the form of the suite. */
  readonly text: string;
  /** The case in the form of the evaluator. */
  readonly fixture: CheckedFixture;
}

/** Converts a new fixture to a case of its suite, under the shortest free name. */
export function printFixture(
  derived: DerivedFixture,
  evaluator: Evaluator,
  folder?: string,
): PrintedFixture {
  const { type, kind, names, why, record, failures } = derived;
  const name = nameFixture(names, (other) => evaluator.hasName(type, other));
  const expected = kind === "invalid" && { expect: toExpected(failures) };
  const value = { name, why, ...toContent(derived), ...expected };
  const file = suiteFileOf(type, folder);
  const pointer = `/${kind}`;
  const fixture = { type, kind, name, file, pointer, content: { record }, isBase: false };
  return { type, kind, file, value, text: printCase(value), fixture };
}

/** An edit of the fixture that it was made from; the whole record if there is none, or little of it remains. */
function toContent({ origin, record }: DerivedFixture): Partial<FixtureCase> {
  // An example in a file of its own is no case that another can start from.
  const isCase = origin !== undefined && origin.pointer !== "";
  if (!isCase || !("record" in origin.content)) return { record };
  const edit = createEdit(origin.content.record, record);
  if (edit.set !== undefined && Object.hasOwn(edit.set, "")) return { record };
  return { ...(!origin.isBase && { from: origin.name }), ...edit };
}

/** The expectation of a fixture with these failures. */
export function toExpected(failures: ReadonlySet<string>): ExpectedFault[] {
  return [...failures].toSorted().map((failure) => {
    const [pointer, keyword] = splitFailure(failure);
    return { pointer, keyword };
  });
}

/** The first free name; if none is free, the last one with a number. */
export function nameFixture(names: readonly string[], isTaken: (name: string) => boolean): string {
  // Of a name in another script, kebab-case may leave nothing.
  const usable = names.map(
    (name) => name.replaceAll(/^-+|-+$/g, "").replaceAll(/--+/g, "-") || "case",
  );
  const free = usable.find((name) => !isTaken(name));
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) {
    const name = `${usable.at(-1)}-${count}`;
    if (!isTaken(name)) return name;
  }
}
