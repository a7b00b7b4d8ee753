import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { isJsonObject } from "../../src/base/json/value.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { completeSample } from "../coverage/samples.js";
import type { Judge } from "../judge.js";
import type { CorpusRecord } from "./adapter.js";
import { keepPath, listReductions, type Path, type Reduction, setAt, valueAt } from "./edits.js";
import {
  type Literals,
  listLiterals,
  listMutations,
  listNewPaths,
  mutateRecord,
  ODD,
  ODD_AND_DEEP,
  pick,
} from "./mutations.js";
import { nestDefinitions } from "./nested.js";
import type { Original, Originals } from "./originals.js";
import { toJsonText } from "./protocol.js";

/** Numbers of records. */
export interface CorpusSize {
  /** Of those with several mutations. */
  readonly withManyChanges: number;
  /** Maximum of places that are mutated one by one; of more, some are chosen. */
  readonly places: number;
}

/**
 * Builds records, without duplicates and the same on every machine. First every original, unchanged. Then, for every type and
 * every place that its valid records can have, each mutation of a small record at that place. Then copies of whole records
 * with a few mutations each, chosen by `seed`.
 */
export function createCorpus(
  { originals, linked: { definitions }, judge }: Originals,
  size: CorpusSize,
  seed: number,
): readonly CorpusRecord[] {
  const random = xoroshiro128plus(seed);
  const literals = listLiterals(definitions);
  const literalsFor = (type: string): Literals => literals.get(type) ?? [];
  const valid = originals.filter((each) => each.valid);
  const seeds = [...valid, ...valid.map((each) => toComplete(each, definitions, judge))];
  const corpus = new RecordSet();
  for (const original of originals) corpus.add(original);
  for (const each of seeds) for (const text of repeatKeys(each.text)) corpus.add({ ...each, text });
  for (const each of nestDefinitions(seeds, definitions)) corpus.add(each);
  const places = listPlaces(seeds);
  while (places.length > size.places) places.splice(uniformInt(random, 0, places.length - 1), 1);
  for (const { original, path, reductions } of places) {
    const { type, value } = original;
    const pruned = pruneRecord(value, path, reductions, (record) => isValid(type, record, judge));
    // Where an array is refused, its depth makes no difference.
    const oddities = isValid(type, setAt(pruned, path, [[]]), judge) ? ODD_AND_DEEP : ODD;
    const mutations = listMutations(pruned, path, literalsFor(type), oddities);
    for (const mutate of mutations) corpus.add(toMutated(original, mutate()));
  }
  const count = corpus.records.length + size.withManyChanges;
  while (seeds.length > 0 && corpus.records.length < count) {
    const original = pick(seeds, random);
    const mutant = mutateRecord(original.value, literalsFor(original.type), random);
    corpus.add(toMutated(original, mutant));
  }
  return corpus.records;
}

function isValid(type: string, record: unknown, judge: Judge): boolean {
  return judge.findFaults(type, record).length === 0;
}

/** A place in a record. */
interface RecordPlace {
  readonly original: Original;
  readonly path: Path;
  readonly reductions: readonly Reduction[];
}

/** The places of each type, each in the first record that has it. */
function listPlaces(seeds: readonly Original[]): RecordPlace[] {
  const seen = new Map(seeds.map(({ type }) => [type, new Set<string>()]));
  return seeds.flatMap((original) => {
    const { type, value } = original;
    const reductions = listReductions(value);
    const paths = listNewPaths(value, seen.get(type) ?? new Set());
    return paths.map((path) => ({ original, path, reductions }));
  });
}

/** A seed with the fields of its type, including those that no other has: all of them, or as many as are valid together. */
function toComplete(original: Original, definitions: Definitions, judge: Judge): Original {
  const { type, value } = original;
  const complete = completeSample(value, definitionOf(type, definitions).node, definitions);
  const fields = isJsonObject(value) && isJsonObject(complete) ? Object.entries(complete) : [];
  const grown = fields.reduce<unknown>((record, [key, field]) => {
    const larger = setAt(record, [key], field);
    return isValid(type, larger, judge) ? larger : record;
  }, value);
  const found = isValid(type, complete, judge) ? complete : grown;
  return { ...original, value: found, text: toJsonText(found) };
}

/** Keys of a record that are written twice. */
const MAX_REPEATED = 3;

/** The text of a record with one key before it that comes again, with another value: the last one counts. */
function repeatKeys(text: string): string[] {
  if (!text.startsWith("{")) return [];
  const keys = Object.keys(Object(JSON.parse(text))).slice(0, MAX_REPEATED);
  return keys.map((key) => `{${JSON.stringify(key)}:null,${text.slice(1)}`);
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
  const origin = source.origin === "this record" ? "a mutation of this record" : source.origin;
  return { type, text: toJsonText(mutant), source: { ...source, origin } };
}

/**
 * A small valid record that has the value of `record` at `path`. Small records are validated faster. `reductions` are those of
 * the record.
 */
export function pruneRecord(
  record: unknown,
  path: Path,
  reductions: readonly Reduction[],
  isValid: (record: unknown) => boolean,
): unknown {
  const kept = valueAt(record, path);
  const alone = keepPath(record, path);
  if (isValid(alone)) return alone;
  return reductions.reduce((smallest: unknown, reduce) => {
    const smaller = reduce(smallest);
    // Copies share unchanged parts.
    const isKept = valueAt(smaller, path) === kept;
    return isKept && smaller !== smallest && isValid(smaller) ? smaller : smallest;
  }, record);
}
