import { isDeepStrictEqual } from "node:util";
import { entryTypes } from "#generated/index.js";
import { pointerTokens } from "../../src/json/pointer.js";
import { findFaults } from "../fixtures/faults.js";
import type { FixtureKind } from "../fixtures/fixture.js";
import { type Definitions, definitionOf } from "../schemas/definitions.js";
import { isSameSet, type Judge, type Mutant, type Reach, splitFailure } from "./mutants.js";
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

/** A fixture that tells a mutant from its schema, ready to be written. */
export interface DerivedFixture {
  readonly type: string;
  readonly kind: FixtureKind;
  /** Names of the case, the shortest first. */
  readonly names: readonly string[];
  readonly why: string;
  readonly record: unknown;
  /** Failures of the record, each as `pointer keyword`. */
  readonly failures: ReadonlySet<string>;
}

/** A valid record and the place in it that a mutant is about. */
interface Base extends ReachedPlace {
  readonly type: string;
}

/** How many valid records are tried: the smallest ones. */
const MAX_BASES = 4;

/**
 * The smallest change to a valid record by which `mutant` can be told: a fixture of the schema, with
 * all its failures, when the mutant is looser; a valid one when it is tighter. Undefined when no
 * proposal of the operator works.
 *
 * The record is a valid fixture that reaches the place, so that the change is all by which the two
 * differ; only where no fixture reaches it, the way there is derived from the schema. Of several
 * places that the constraint judges, `route` chooses one.
 */
export function createFixture(
  mutant: Mutant,
  judge: Judge,
  route?: Route,
): DerivedFixture | undefined {
  const { change } = mutant;
  if (isEquivalence(change)) return undefined;
  let best: DerivedFixture | undefined;
  for (const base of basesFor(mutant, judge, route)) {
    for (const witness of change.witnesses) {
      const derived = tryWitness(base, witness, change, mutant, judge);
      // A fixture shows one fault: none is better than one with a single failure.
      if (derived !== undefined && derived.failures.size <= 1) return derived;
      best ??= derived;
    }
  }
  return best;
}

/** Valid records that reach the place: fixtures first, the smallest before larger ones. */
function* basesFor({ location: { node } }: Mutant, judge: Judge, wanted?: Route): Generator<Base> {
  const route = wanted ?? findRoute(node, judge.definitions);
  if (wanted === undefined) {
    const reaches = validRecords(judge.reachesOf(node));
    const near = reaches.filter(({ type }) => type === route?.type);
    const far = reaches.filter(({ type }) => type !== route?.type);
    yield* [...near, ...far].slice(0, MAX_BASES);
  }
  if (route === undefined) return;
  const { type, steps } = route;
  const root = definitionOf(type, judge.definitions).node;
  const records = validRecords(judge.reachesOf(root))
    .filter((reach) => reach.type === type)
    .map(({ record }) => record);
  const reached = [...records, createSample(root, judge.definitions)].map((record) => {
    const place = reachPlace(record, steps, judge.definitions);
    return { ...place, type, isThere: isDeepStrictEqual(place.record, record) };
  });
  yield* reached.toSorted((a, b) => Number(b.isThere) - Number(a.isThere)).slice(0, MAX_BASES);
}

/**
 * Those with the fewest parts first. Of as many parts the longest text is first: a fixture that stands at a
 * boundary is shorter than the one that it was made from, which is the better one to start from.
 */
function validRecords(reaches: readonly Reach[]): Base[] {
  return reaches
    .filter(({ judged: { fixture, failures } }) => fixture.kind === "valid" && failures.size === 0)
    .filter(({ judged: { fixture } }) => "record" in fixture.content)
    .map(({ judged: { fixture, record }, pointers: [pointer] }) => {
      const length = JSON.stringify(record).length;
      return {
        type: fixture.type,
        record,
        path: pointerTokens(pointer),
        parts: countParts(record),
        length,
      };
    })
    .toSorted((a, b) => a.parts - b.parts || b.length - a.length);
}

function countParts(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countParts(part), 1);
}

function tryWitness(
  { type, record: valid, path }: Base,
  witness: Witness,
  { mutant: node }: Mutation,
  { location, direction }: Mutant,
  judge: Judge,
): DerivedFixture | undefined {
  const record = replaceAt(valid, path, witness.toValue(valueAt(valid, path)));
  const failures = judge.failuresOf(type, record);
  const kind = failures.size === 0 ? "valid" : "invalid";
  if (kind !== (direction === "loosened" ? "invalid" : "valid")) return undefined;
  if (kind === "valid" && breaksRule(type, record)) return undefined;
  const swap = { node: location.node, mutant: node };
  if (isSameSet(failures, judge.failuresOf(type, record, swap))) return undefined;
  const place = witness.field === undefined ? path : [...path, witness.field];
  return { type, kind, record, failures, ...describe(type, place, witness, judge.definitions) };
}

/** A valid fixture keeps the semantic rules too, which the schema does not know. */
function breaksRule(type: string, record: unknown): boolean {
  const known = entryTypes.find(({ name }) => name === type)?.name;
  if (known === undefined) return false;
  return findFaults({ type: known, file: "", content: { record } }).length > 0;
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

/** A fixture as it lies on disk. */
export interface PrintedFixture {
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** Prints a derived fixture under the shortest of its names that `isTaken` does not refuse. */
export function printFixture(
  { type, kind, names, why, record, failures }: DerivedFixture,
  isTaken: (file: string) => boolean,
): PrintedFixture {
  const expect = [...failures].toSorted().map((failure) => {
    const [pointer, keyword] = splitFailure(failure);
    return { pointer, keyword };
  });
  const toFile = (name: string): string => `fixtures/${kind}/${type}/${name}.json`;
  const value = { why, record, ...(kind === "invalid" && { expect }) };
  return { file: findFree(names, toFile, isTaken), text: printJson(value) };
}

/** The file of the first name that is free; when none is, that of the last one with a number. */
function findFree(
  names: readonly string[],
  toFile: (name: string) => string,
  isTaken: (file: string) => boolean,
): string {
  const free = names.map(toFile).find((file) => !isTaken(file));
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) {
    const file = toFile(`${names.at(-1)}-${count}`);
    if (!isTaken(file)) return file;
  }
}

/** JSON as the formatter leaves it: a list of plain values on one line where it fits. */
function printJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const joined = text.replace(/^.*\[\n[^[\]{}]*\n *\],?$/gm, (list) => {
    const line = list
      .replace(/\[\n */, "[")
      .replace(/\n *\]/, "]")
      .replace(/\n */g, " ");
    return line.length <= 100 ? line : list;
  });
  return `${joined}\n`;
}
