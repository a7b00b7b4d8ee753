import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { mutateRecord, toText } from "./mutate-record.js";
import { pick } from "./pick.js";
import type { Request } from "./protocol.js";

/** A valid record with the name of its definition. */
export interface Seed {
  readonly type: string;
  readonly record: unknown;
}

/**
 * `count` requests: every seed as it is, then copies of seeds with one mutation each, chosen by
 * `seed`, so that the same arguments give the same corpus on every machine.
 */
export function createCorpus(seeds: readonly Seed[], count: number, seed: number): Request[] {
  const random = xoroshiro128plus(seed);
  const valid = seeds.map(({ type, record }) => ({ type, recordText: JSON.stringify(record) }));
  const mutants = Array.from({ length: Math.max(0, count - valid.length) }, () => {
    const { type, record } = pick(seeds, random);
    return { type, recordText: toText(mutateRecord(record, random)) };
  });
  return [...valid, ...mutants].map((request, id) => ({ id, ...request }));
}
