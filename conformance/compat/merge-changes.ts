import { type Change, type Effects, RECORD_LENSES, type RecordLens } from "./change.js";
import type { Comparison } from "./compare.js";
import { DIRECTIONS, type Direction } from "./direction.js";
import type { Mentioned } from "./rules/rule.js";
import type { SchemaLocation } from "./schema-set.js";

/** The same change, found at several record types that share a definition, as one. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = keyOf(change);
    const known = merged.get(key);
    merged.set(key, known === undefined ? change : merge(known, change));
  }
  return [...merged.values()];
}

function keyOf({ rule, old: older, new: newer, around, property, message }: Change): string {
  const places = [toPlace(older, around.old), toPlace(newer, around.new)];
  return JSON.stringify([rule.id, ...places, property, message]);
}

function toPlace(mentioned: Mentioned | undefined, around: SchemaLocation): unknown {
  const { uri, pointer } = mentioned?.location ?? around;
  return [uri, pointer, mentioned?.keyword, mentioned?.below];
}

/** The one that breaks more stands for both. */
function merge(one: Change, other: Change): Change {
  const [first, second] = severity(other) > severity(one) ? [other, one] : [one, other];
  const pick = (lens: RecordLens): Effects => ({
    backward: worse(first, second, lens, "backward"),
    forward: worse(first, second, lens, "forward"),
  });
  return {
    ...first,
    types: [...new Set([...first.types, ...second.types])],
    effects: { validate: pick("validate"), "declared-writer": pick("declared-writer") },
  };
}

function worse(one: Change, other: Change, lens: RecordLens, direction: Direction): Comparison {
  const [first, second] = [one.effects[lens][direction], other.effects[lens][direction]];
  return rank(second) > rank(first) ? second : first;
}

function severity({ effects }: Change): number {
  const ranks = RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.map((direction) => rank(effects[lens][direction])),
  );
  return Math.max(...ranks);
}

function rank({ verdict }: Comparison): number {
  return ["compatible", "undecided", "breaking"].indexOf(verdict);
}
