import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { type EntryTypeName, entryTypes, findErrors } from "#generated/index.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { readOwnSchemas } from "../../src/contract/codegen/front/own-schemas.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { isWire } from "../../src/contract/schemas/registry-file.js";
import { completeSample } from "../coverage/samples.js";
import { type Fixture, toValue } from "../fixtures/fixture.js";
import { requireSound } from "../fixtures/load.js";
import type { Workspace } from "../workspace.js";
import type { CorpusRecord, RecordSource } from "./adapter.js";
import { listReductions, type Path, type Reduction, setAt, valueAt } from "./edits.js";
import {
  listLiterals,
  listMutations,
  listNewPaths,
  mutateRecord,
  ODD,
  ODD_AND_DEEP,
  type Oddities,
  pick,
} from "./mutations.js";
import { toJsonText } from "./protocol.js";

/** Minimum number of records, and number of records with several mutations. */
export interface CorpusSize {
  readonly records: number;
  readonly withManyChanges: number;
}

export interface Corpus {
  readonly records: readonly CorpusRecord[];
  /** Fixtures whose text is not JSON, so they cannot be part of a request. */
  readonly leftOut: number;
}

/**
 * Builds the records for the checkout at `root`, without duplicates and the same on every machine. First
 * every fixture, unchanged. Then, for every type and every place that its valid records can have, each mutation
 * of a minimal record at that place. Then copies of whole records with a few mutations each, chosen by `seed`.
 */
export function createCorpus(workspace: Workspace, size: CorpusSize, seed: number): Corpus {
  const { originals, leftOut, definitions } = readOriginals(workspace);
  const literalsBySchema = listLiterals(workspace.root);
  const literalsFor = (type: EntryTypeName): readonly unknown[] => {
    const schema = entryTypes.find(({ name }) => name === type)?.schema ?? "";
    return literalsBySchema.get(schema) ?? [];
  };
  const odditiesFor = (type: EntryTypeName, pruned: unknown, path: Path): Oddities => {
    // Where an array is refused, its depth makes no difference.
    const isRefused = findErrors(type, setAt(pruned, path, [[]])).length > 0;
    return isRefused ? ODD : ODD_AND_DEEP;
  };
  const valid = originals.filter(({ valid, value }) => valid && value !== undefined);
  const seeds = [...valid, ...valid.flatMap((original) => toComplete(original, definitions))];
  const corpus = new RecordSet();
  for (const original of originals) corpus.add(original);
  const seen = new Map(seeds.map(({ type }) => [type, new Set<string>()]));
  for (const original of seeds) {
    const { type, value } = original;
    const paths = listNewPaths(value, seen.get(type) ?? new Set());
    if (paths.length === 0) continue;
    const reductions = listReductions(value);
    for (const path of paths) {
      const pruned = pruneRecord(type, value, path, reductions);
      const oddities = odditiesFor(type, pruned, path);
      const mutations = listMutations(pruned, path, literalsFor(type), oddities);
      for (const mutate of mutations) corpus.add(toMutated(original, mutate()));
    }
  }
  const random = xoroshiro128plus(seed);
  const count = Math.max(size.records, corpus.records.length + size.withManyChanges);
  while (corpus.records.length < count) {
    const original = pick(seeds, random);
    corpus.add(
      toMutated(original, mutateRecord(original.value, literalsFor(original.type), random)),
    );
  }
  return { records: corpus.records, leftOut };
}

/** A seed with every field of its type, including those that no fixture has. */
function toComplete(original: Original, definitions: Definitions): Original[] {
  const { type } = original;
  const value = completeSample(original.value, definitionOf(type, definitions).node, definitions);
  return findErrors(type, value).length === 0
    ? [{ ...original, value, text: toJsonText(value) }]
    : [];
}

/** Records without duplicates. */
class RecordSet {
  readonly records: CorpusRecord[] = [];
  readonly #keys = new Set<string>();

  add({ type, text, source }: CorpusRecord): void {
    const key = `${type} ${text}`;
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.records.push({ type, text, source });
  }
}

function toMutated({ type, source }: Original, mutant: unknown): CorpusRecord {
  return { type, text: toJsonText(mutant), source: { ...source, mutated: true } };
}

/** The record of a fixture, unchanged. */
export interface Original extends CorpusRecord {
  /** Undefined if parsing would change the text; then it is not mutated. */
  readonly value: unknown;
  readonly valid: boolean;
}

export interface Originals {
  readonly originals: readonly Original[];
  readonly definitions: Definitions;
  /** Fixtures whose text is not JSON, so they cannot be part of a request. */
  readonly leftOut: number;
}

/**
 * The records of all fixtures of the wire schemas of a checkout. Throws UserError if one of their entry types has no
 * valid record.
 */
export function readOriginals({ root, fixtures: loaded }: Workspace): Originals {
  requireSound(loaded);
  const { schemas, definitions } = readOwnSchemas(root, { isForWire: true });
  const types = new Set<string>(schemas.flatMap(({ entryTypes: own }) => own));
  const fixtures = loaded.fixtures.filter(({ type }) => types.has(type));
  const sendable = fixtures.filter(({ content }) => toValue(content) !== undefined);
  const originals = sendable.flatMap(toOriginals);
  for (const { name } of entryTypes.filter(isWire)) requireSeed(name, originals);
  return { originals, definitions, leftOut: fixtures.length - sendable.length };
}

function toOriginals(fixture: Fixture): Original[] {
  const { type, kind, content } = fixture;
  const valid = kind === "valid";
  if ("record" in content) {
    const { record } = content;
    return [
      { type, valid, value: record, text: toJsonText(record), source: sourceOf(fixture, "") },
    ];
  }
  if ("rollout" in content) {
    return content.rollout.map((branch, index) => {
      const source = sourceOf(fixture, `/${index}`);
      return { type, valid, value: branch, text: toJsonText(branch), source };
    });
  }
  const text = content.text.replaceAll(/[\r\n]/g, " ");
  return [{ type, valid, value: undefined, text, source: sourceOf(fixture, "") }];
}

function sourceOf(fixture: Fixture, pointer: string): RecordSource {
  const { file, source, pointer: at, given } = fixture;
  return { file, source, fixture: { pointer: at, given }, pointer, mutated: false };
}

function requireSeed(name: EntryTypeName, originals: readonly Original[]): void {
  const found = originals.some(
    ({ type, valid, value }) => type === name && valid && value !== undefined,
  );
  if (found) return;
  throw new UserError(
    `no valid record of ${name} to make mutations of: add a valid case to fixtures/suites/${name}.json`,
    EXIT.findings,
  );
}

/**
 * A small valid record of `type` that has the value of `record` at `path`. Small records are validated
 * faster.
 */
export function pruneRecord(
  type: EntryTypeName,
  record: unknown,
  path: Path,
  reductions: readonly Reduction[] = listReductions(record),
): unknown {
  const kept = valueAt(record, path);
  return reductions.reduce((smallest: unknown, reduce) => {
    const smaller = reduce(smallest);
    // Copies share unchanged parts.
    const isKept = valueAt(smaller, path) === kept;
    return isKept && findErrors(type, smaller).length === 0 ? smaller : smallest;
  }, record);
}
