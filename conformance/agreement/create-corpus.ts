import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { CorpusRecord } from "./corpus-record.js";
import { listLiterals } from "./list-literals.js";
import { listMutants, listNewPaths } from "./list-mutants.js";
import { mutateRecord } from "./mutate-record.js";
import { pick } from "./pick.js";
import { toJsonText } from "./raw-json.js";
import { type Original, readOriginals } from "./read-originals.js";

/** Items that are kept of an array: more of them teach a schema nothing, and cost. */
const MAX_ITEMS = 3;

/**
 * At least `count` records of the checkout at `root`, the same on every machine: every fixture as it
 * is; then, for each type and each place that a valid record of it has, every mutation there, of the
 * shortest record that has the place; then records with a few mutations each, chosen by `seed`.
 */
export function createCorpus(root: string, count: number, seed: number): CorpusRecord[] {
  const originals = readOriginals(root);
  const literals = listLiterals(root);
  const seeds = originals
    .filter(({ valid, value }) => valid && value !== undefined)
    .map((original) => ({ ...original, value: condense(original.value) }))
    .sort((a, b) => a.text.length - b.text.length);
  const records: CorpusRecord[] = originals.map(({ type, text, source }) => ({
    type,
    text,
    source,
  }));
  const seen = new Map(seeds.map(({ type }) => [type, new Set<string>()]));
  for (const original of seeds) {
    for (const path of listNewPaths(original.value, seen.get(original.type) ?? new Set())) {
      const mutants = listMutants(original.value, path, literals);
      for (const mutant of mutants) records.push(toMutated(original, mutant));
    }
  }
  const random = xoroshiro128plus(seed);
  while (records.length < count) {
    const original = pick(seeds, random);
    records.push(toMutated(original, mutateRecord(original.value, literals, random)));
  }
  return records;
}

function toMutated({ type, source }: Original, mutant: unknown): CorpusRecord {
  return { type, text: toJsonText(mutant), source: { ...source, mutated: true } };
}

function condense(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(condense);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, condense(child)]));
}
