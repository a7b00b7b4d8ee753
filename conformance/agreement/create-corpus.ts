import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { type EntryTypeName, entryTypes } from "#generated/index.js";
import type { CorpusRecord } from "./corpus-record.js";
import { listLiterals } from "./list-literals.js";
import { listMutations, listNewPaths } from "./list-mutations.js";
import { mutateRecord } from "./mutate-record.js";
import { ODD, type Oddities, PLAIN } from "./odd-values.js";
import { pick } from "./pick.js";
import { pruneRecord } from "./prune-record.js";
import { toJsonText } from "./raw-json.js";
import { type Original, readOriginals } from "./read-originals.js";

/** How many records there are at least, and how many of them have changes in several places. */
export interface CorpusSize {
  readonly records: number;
  readonly withManyChanges: number;
}

export interface Corpus {
  readonly records: readonly CorpusRecord[];
  /** Fixtures with a text that is not JSON, which cannot be part of a request. */
  readonly leftOut: number;
}

/**
 * Records of the checkout at `root`, each once and the same on every machine: every fixture as it is;
 * then, for each type and each place that a valid record of it has, every mutation there, of a record
 * with little else; then copies of whole records with a few mutations each, chosen by `seed`.
 */
export function createCorpus(root: string, size: CorpusSize, seed: number): Corpus {
  const { originals, leftOut } = readOriginals(root);
  const literalsBySchema = listLiterals(root);
  const literalsFor = (type: EntryTypeName): readonly unknown[] =>
    literalsBySchema.get(entryTypes.find(({ name }) => name === type)?.schema ?? "") ?? [];
  // Of files that only this program writes and reads, every place is looked at, but not with every oddity.
  const odditiesFor = (type: EntryTypeName): Oddities =>
    entryTypes.find(({ name }) => name === type)?.inferred === false ? PLAIN : ODD;
  const seeds = originals.filter(({ valid, value }) => valid && value !== undefined);
  const corpus = new RecordSet();
  for (const original of originals) corpus.add(original);
  const seen = new Map(seeds.map(({ type }) => [type, new Set<string>()]));
  for (const original of seeds) {
    const { type, value } = original;
    for (const path of listNewPaths(value, seen.get(type) ?? new Set())) {
      const pruned = pruneRecord(type, value, path);
      const mutations = listMutations(pruned, path, literalsFor(type), odditiesFor(type));
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

/** Records, each once. */
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
