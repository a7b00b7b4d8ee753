import { resolvePointer, toPointerToken } from "../../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../../base/json/value.js";
import type { FieldMap, RowField } from "./field-map.js";

/** A value of a row at the first of several places. */
export interface FoundField {
  /** As the map has it: a JSON Pointer, perhaps with `*` for every element. Empty if the map has none. */
  readonly place: string;
  /** JSON Pointer to the value; with `*`, to the value that holds the elements. */
  readonly pointer: string;
  /** Undefined if the row has none of the places; null only if the last resort is null. */
  readonly value: unknown;
  /** With `*`: the JSON Pointers to the elements of `value`. */
  readonly elements?: readonly string[];
  /** With `*`: JSON Pointers to the parents that show that the elements are no single line. */
  readonly branches?: readonly string[];
}

/** In a place: every element of an array, or every value of an object. */
const EACH = "/*";

/** Finds a field: at the first of its places at which the row has a value other than null. */
export function findField(row: JsonObject, map: FieldMap, field: RowField): FoundField {
  const places = (map[field] ?? []).filter((place) => place.startsWith("/"));
  const found = places.map((place) => findPlace(row, place));
  return (
    found.find(({ value }) => value !== undefined && value !== null) ??
    found.find(({ value }) => value === null) ??
    found[0] ?? { place: "", pointer: "", value: undefined }
  );
}

function findPlace(row: JsonObject, place: string): FoundField {
  const [pointer = "", ...rest] = place.split(EACH);
  const owner = resolvePointer(row, pointer);
  if (rest.length === 0) return { place, pointer, value: owner };
  if (!isJsonObject(owner) && !Array.isArray(owner)) return { place, pointer, value: undefined };
  const below = rest.join(EACH);
  const nodes: readonly [key: string, node: unknown][] = Object.entries(owner);
  return {
    place,
    pointer,
    value: nodes.map(([, node]) => resolvePointer(node, below)),
    elements: nodes.map(([key]) => `${pointer}/${toPointerToken(key)}${below}`),
    branches: findBranches(nodes.map(([, node]) => node)).map((at) => `${pointer}/${at}/parent`),
  };
}

/** Indices of the nodes whose `parent` is not the node before them: the nodes are then no single line. */
function findBranches(nodes: readonly unknown[]): number[] {
  return nodes.flatMap((node, index) => {
    if (!isJsonObject(node) || !Object.hasOwn(node, "parent")) return [];
    return node.parent === (index === 0 ? null : index - 1) ? [] : [index];
  });
}

/** Digits of a sum of rewards: fewer than the 15 to 17 of a double. */
const SUM_DIGITS = 12;

/**
 * Finds the reward. At a place with `*` it is the sum of all rewards, each a number or a boolean, or a `score` times
 * its `weight`. Null is skipped. The first one of another form is returned instead, and undefined if there is none.
 */
export function findReward(row: JsonObject, map: FieldMap): FoundField {
  const found = findField(row, map, "reward");
  const { value, elements } = found;
  if (elements === undefined || !Array.isArray(value)) return found;
  const given: readonly unknown[] = value.filter((each) => each !== null);
  const rewards = given.map(toReward);
  const wrong = given.find((_, index) => rewards[index] === undefined);
  const sum = rewards.reduce<number>((total, reward) => total + (reward ?? 0), 0);
  // 0.1 + 0.2 + 0.7 would be beyond a range that ends at 1.
  const rounded = Number(sum.toPrecision(SUM_DIGITS));
  const none = given.length === 0 ? undefined : rounded;
  return { ...found, value: wrong === undefined ? none : wrong };
}

function toReward(reward: unknown): number | undefined {
  if (typeof reward === "number" || typeof reward === "boolean") return Number(reward);
  if (!isJsonObject(reward)) return undefined;
  const { score, weight = 1 } = reward;
  return typeof score === "number" && typeof weight === "number" ? score * weight : undefined;
}
