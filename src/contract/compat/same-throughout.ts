import { canonicalHash } from "../schemas/hashes.js";
import { haveSameNumbers } from "./schema/exact-numbers.js";
import { childOf, type SchemaLocation } from "./schema/schema-set.js";
import { type Schema, subschemas } from "./schema/subschemas.js";
import { referencesOf } from "./schema/walks.js";

type Pair = readonly [one: SchemaLocation, other: SchemaLocation];

/**
 * Whether two schemas, and everything to which they refer, have the same canonical form. A reference that leads nowhere in
 * one of them only makes a difference.
 */
export function isSameThroughout(one: SchemaLocation, other: SchemaLocation): boolean {
  const seen = new Set<string>();
  const waiting: Pair[] = [[one, other]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const key = JSON.stringify(pair.map(({ uri, pointer }) => [uri, pointer]));
    if (seen.has(key)) continue;
    seen.add(key);
    if (!hasSameText(pair[0].schema, pair[1].schema)) return false;
    for (const target of targetsOf(pair)) {
      if (target === undefined) return false;
      waiting.push(target);
    }
  }
  return true;
}

function hasSameText(one: Schema, other: Schema): boolean {
  return canonicalHash(one) === canonicalHash(other) && haveSameNumbers(one, other);
}

/** Where the references in two equal schemas lead; undefined for one that leads nowhere in one of them only. */
function* targetsOf(root: Pair): Generator<Pair | undefined> {
  const waiting: Pair[] = [root];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [one, other] = pair;
    for (const [, reference] of referencesOf(one)) {
      const [target, counterpart] = pair.map((each) => each.set.tryToResolve(each, reference));
      if (typeof target === "object" && typeof counterpart === "object") {
        yield [target, counterpart];
      } else if (target !== counterpart) yield undefined;
    }
    for (const [pointer] of subschemas(one.schema)) {
      waiting.push([childOf(one, pointer), childOf(other, pointer)]);
    }
  }
}
