import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, UserError } from "../../src/base/user-error.js";
import type { LinkedSchemas } from "../../src/contract/codegen/front/link-files.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { distinguish, solveType } from "../coverage/distinguish.js";
import { createFixture, type DerivedFixture, printFixture } from "../coverage/fixtures.js";
import { createSmallest } from "../coverage/missing.js";
import { createMutants, Evaluator, type Mutant } from "../coverage/mutants.js";
import { isEquivalence } from "../coverage/operators/operator.js";
import { solveFixture } from "../coverage/solve-fixture.js";
import { contentPointer, type Fixture, toValue } from "../fixtures/fixture.js";
import { requireSound } from "../fixtures/load.js";
import { Judge } from "../judge.js";
import type { Workspace } from "../workspace.js";
import type { CorpusRecord, RecordSource } from "./adapter.js";
import { toJsonText } from "./protocol.js";

/** A record that mutations are made of. */
export interface Original extends CorpusRecord {
  /** Undefined if parsing would change the text; then it is not mutated. */
  readonly value: unknown;
  /** Whether the schemas accept it. */
  readonly valid: boolean;
}

export interface Originals {
  readonly originals: readonly Original[];
  readonly linked: LinkedSchemas;
  readonly judge: Judge;
  /** Fixtures whose text is not JSON, so they cannot be part of a request. */
  readonly leftOut: number;
}

/** Mutants for which a record is looked for. Of more, as large schemas have them, some are chosen. */
const MAX_MUTANTS = 2_000;

/** How many of them the solver is asked about at their place, if nothing simpler finds a record; and in a whole record. */
const MAX_SOLVED = { atPlaces: 600, whole: 60 };

/**
 * The records of all fixtures, and records made from the schemas: of each mutant of a keyword, one that tells it from the
 * schemas. So each keyword is held from both sides, with fixtures and without. Throws UserError (exit 1) for
 * fixtures with a fault, and for a type of which no valid record is known, although there may be one; and as `linked` does.
 */
export async function readOriginals(workspace: Workspace): Promise<Originals> {
  const { keepWire, requireProfile } = await import("../generator.js");
  const linked = keepWire(requireProfile(await workspace.linked()));
  const { definitions, schemas } = linked;
  const suites = await workspace.suites();
  requireSound(suites);
  const fixtures = suites.fixtures.filter(({ type }) => definitions.has(type));
  const judge = new Judge(definitions);
  const toOriginal = (record: Omit<Original, "valid">): Original => {
    const { type, value } = record;
    const valid = value !== undefined && judge.findFaults(type, value).length === 0;
    return { ...record, valid };
  };
  const sendable = fixtures.filter(({ content }) => toValue(content) !== undefined);
  const given = sendable.flatMap(recordsOf).map(toOriginal);
  const sourceOf = createSources(workspace.root, linked);
  const derived = deriveRecords(linked, fixtures).map(({ type, record: value }) =>
    toOriginal({ type, value, text: toJsonText(value), source: sourceOf(type) }),
  );
  const originals = [...given, ...derived];
  for (const type of schemas.flatMap(({ entryTypes }) => entryTypes)) {
    requireSeed(type, originals, definitions);
  }
  return { originals, linked, judge, leftOut: fixtures.length - sendable.length };
}

/** The smallest record of each type, and records that tell mutants from the schemas. */
function deriveRecords(
  linked: LinkedSchemas,
  fixtures: readonly Fixture<string>[],
): DerivedFixture[] {
  const { definitions, schemas } = linked;
  const evaluator = new Evaluator(fixtures, definitions);
  const records: DerivedFixture[] = [];
  const add = (derived: DerivedFixture | undefined): void => {
    if (derived === undefined) return;
    records.push(derived);
    // Other records are made from it.
    if (derived.kind === "valid") evaluator.add(printFixture(derived, evaluator, "").fixture);
  };
  for (const type of schemas.flatMap(({ entryTypes }) => entryTypes)) {
    add(createSmallest(type, evaluator));
  }
  const isSolvable = ({ change }: Mutant): boolean => !isEquivalence(change);
  const unknown = (mutants: readonly Mutant[], find: typeof createFixture): Mutant[] =>
    mutants.filter((mutant) => {
      const found = find(mutant, evaluator);
      add(found);
      return found === undefined;
    });
  const simple = unknown(chooseMutants(linked), createFixture).filter(isSolvable);
  const left = unknown(spread(simple, MAX_SOLVED.atPlaces), solveAtPlace);
  unknown(spread(left, MAX_SOLVED.whole), solveFixture);
  return records;
}

/** With a value that the solver finds for the place of the mutant alone, which takes much less than a whole record. */
function solveAtPlace(mutant: Mutant, evaluator: Evaluator): DerivedFixture | undefined {
  const { change, location, direction } = mutant;
  if (isEquivalence(change)) return undefined;
  const swap = { node: location.node, mutant: change.mutant };
  const isLooser = direction === "loosened";
  const found = distinguish(location.node, swap, isLooser, evaluator.definitions);
  if (found.kind !== "record") return undefined;
  const witnesses = [{ name: "%", why: "%", toValue: () => found.record }];
  return createFixture({ ...mutant, change: { ...change, witnesses } }, evaluator);
}

/** Mutants all over the schemas. */
function chooseMutants(linked: LinkedSchemas): readonly Mutant[] {
  return spread(createMutants(linked), MAX_MUTANTS);
}

/** As many of the mutants, at equal distances. */
function spread(all: readonly Mutant[], count: number): readonly Mutant[] {
  const step = Math.max(1, all.length / count);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** The records of a fixture, unchanged. */
function recordsOf(fixture: Fixture<string>): Omit<Original, "valid">[] {
  const { type, content, file, source: text } = fixture;
  const sourceOf = (at: string): RecordSource => ({
    ...{ file, text, origin: "this record" },
    toFile: (pointer) => contentPointer(fixture, `${at}${pointer}`),
  });
  if ("record" in content) {
    const { record: value } = content;
    return [{ type, value, text: toJsonText(value), source: sourceOf("") }];
  }
  if ("rollout" in content) {
    return content.rollout.map((value, index) => {
      return { type, value, text: toJsonText(value), source: sourceOf(`/${index}`) };
    });
  }
  const line = content.text.replaceAll(/[\r\n]/g, " ");
  return [{ type, value: undefined, text: line, source: sourceOf("") }];
}

/** The sources of records that were made from the schema of their type alone. */
function createSources(
  root: string,
  { placeOf, definitions }: LinkedSchemas,
): (type: string) => RecordSource {
  const texts = new Map<string, string>();
  return (type) => {
    const { file, pointer } = placeOf(definitionOf(type, definitions).node);
    const text = texts.get(file) ?? readText(join(root, file));
    texts.set(file, text);
    return { file, text, origin: "a record", toFile: () => pointer };
  };
}

/** A metaschema is no file of the repository. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Of a type that accepts nothing, there is none. */
function requireSeed(type: string, originals: readonly Original[], definitions: Definitions): void {
  if (originals.some((each) => each.type === type && each.valid)) return;
  if (solveType(type, definitions).kind === "none") return;
  throw new UserError(
    `no valid record of ${type} is known to make mutations of: add one to its fixtures`,
    EXIT.findings,
  );
}
