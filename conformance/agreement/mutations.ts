import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { isJsonObject } from "../../src/base/json/value.js";
import { refsOf } from "../../src/contract/codegen/definitions.js";
import type { Definitions } from "../../src/contract/schemas/definitions.js";
import { type SchemaNode, walkNodes } from "../../src/contract/schemas/nodes.js";
import { sampleFormat } from "../coverage/samples.js";
import { listPaths, type Path, removeAt, setAt, valueAt } from "./edits.js";
import { RawJson } from "./protocol.js";

/** Replacement values, used at places of their own type; odd values are used at every place. */
export type Literals = readonly unknown[];

/** Returns a copy of a record that differs in one place. */
export type Mutation = () => unknown;

/** Every mutation of `record` at `path`: its value is replaced, slightly changed, removed or extended. */
export function listMutations(
  record: unknown,
  path: Path,
  literals: Literals,
  { values, keys }: Oddities = ODD_AND_DEEP,
): Mutation[] {
  const value = valueAt(record, path);
  const alike = thin(literals.filter((literal) => typeof literal === typeof value));
  const put = (replacement: unknown) => () => setAt(record, path, replacement);
  return [
    ...[...values, ...alike, ...tweakValue(value)].map(put),
    ...(path.length > 0 ? [() => removeAt(record, path)] : []),
    ...listAdditions(value, keys).map(put),
  ];
}

/** Literals at one place: large schemas have thousands. */
const MAX_LITERALS = 60;

function thin(literals: Literals): Literals {
  const step = Math.ceil(literals.length / MAX_LITERALS);
  return step <= 1 ? literals : literals.filter((_, index) => index % step === 0);
}

/** The place without item indices, because all items of a list have the same schema. */
export function toShape(path: Path): string {
  return path.map((key) => (typeof key === "number" ? "*" : JSON.stringify(key))).join("/");
}

/** The places in `record` whose shape is not yet in `seen`; adds them. */
export function listNewPaths(record: unknown, seen: Set<string>): Path[] {
  return listPaths(record).filter((path) => {
    const shape = toShape(path);
    if (seen.has(shape)) return false;
    seen.add(shape);
    return true;
  });
}

function listAdditions(value: unknown, keys: Oddities["keys"]): unknown[] {
  if (Array.isArray(value)) return [[...value, null]];
  if (typeof value !== "object" || value === null) return [];
  return keys.map((key) => setAt(value, [key], null));
}

/** Mutations per record; more would hide each other. */
const MAX_CHANGES = 3;

/** A copy of `record` that differs in a few places, chosen by `random`. */
export function mutateRecord(
  record: unknown,
  literals: Literals,
  random: RandomGenerator,
): unknown {
  let mutant = record;
  for (let left = uniformInt(random, 1, MAX_CHANGES); left > 0; left -= 1) {
    const path = pick(listPaths(mutant), random);
    const mutate = pick(listMutations(mutant, path, literals), random);
    mutant = mutate();
  }
  return mutant;
}

/** Slightly changed values: next to a bound, in another case, one character or item more or fewer. */
export function tweakValue(value: unknown): unknown[] {
  if (typeof value === "number") {
    return [-1, 1, 0.5, -0.5, 1e-9, 1e16].map((step) => value + step);
  }
  if (typeof value === "string") return tweakText(value);
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value))
    return [value.slice(1), value.slice(0, 1), [...value, ...value], { ...value }];
  if (isJsonObject(value)) return [[value], Object.values(value)];
  return [0];
}

function tweakText(text: string): string[] {
  const characters = [...text];
  const replaced = characters
    .slice(0, MAX_REPLACED)
    .flatMap((_, at) => STRANGERS.map((stranger) => characters.with(at, stranger).join("")));
  return [
    ...[`${text}\n`, ` ${text}`, `${text}0`, text.slice(1), text.slice(0, -1)],
    ...[text.toUpperCase(), text.replace(/[0-9]/, "٣"), text.slice(0, 1)],
    ...replaced,
  ];
}

/** Characters that the engines of patterns have in other classes: two code units, white space that ends a line, a letter. */
const STRANGERS = ["😀", "\u2028", "é"];

/** Characters of a text that are replaced by each of them. */
const MAX_REPLACED = 4;

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const LENGTHS = ["minLength", "maxLength"];

/**
 * The values that a type, or one to which it refers, mentions, with the values on both sides of every bound. They are valid in
 * one place of a record, and nearly valid in others. Without duplicates, by type.
 */
export function listLiterals(definitions: Definitions): ReadonlyMap<string, Literals> {
  const own = new Map([...definitions].map(([name, { node }]) => [name, literalsOf(node)]));
  const refs = new Map([...definitions].map(([name, { node }]) => [name, refsOf(node)]));
  return new Map(
    [...definitions.keys()].map((name) => {
      const reached = new Set([name]);
      for (const each of reached) for (const other of refs.get(each) ?? []) reached.add(other);
      return [name, [...new Set([...reached].flatMap((each) => own.get(each) ?? []))]];
    }),
  );
}

function literalsOf(root: SchemaNode): unknown[] {
  return [...walkNodes(root)].flatMap(({ node }) =>
    Object.entries(node).flatMap(([keyword, value]) => toLiterals(keyword, value)),
  );
}

function toLiterals(keyword: string, value: unknown): unknown[] {
  if (keyword === "const") return [value];
  if (keyword === "enum" && Array.isArray(value)) return value;
  if (keyword === "format" && typeof value === "string") {
    return [sampleFormat(value), ...(NEAR_FORMATS[value] ?? [])];
  }
  if (typeof value !== "number") return [];
  if (keyword === "multipleOf") return [0.5, 1, 2, 3].map((factor) => value * factor);
  if (BOUNDS.includes(keyword)) return [-1, -0.5, 0, 0.5, 1].map((step) => value + step);
  if (!LENGTHS.includes(keyword)) return [];
  // Characters beyond U+FFFF, which are two UTF-16 code units each.
  return [value - 1, value, value + 1].map((length) => "😀".repeat(Math.max(0, length)));
}

/** Texts on both sides of what formats say beyond their patterns. */
const NEAR_FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: [
    "2024-02-29",
    "2023-02-29",
    "2024-02-30",
    "2024-13-01",
    "2024-00-01",
    "2024-01-00",
    "1900-02-29",
  ],
  time: [
    "23:59:60Z",
    "22:59:60Z",
    "00:59:60+01:00",
    "24:00:00Z",
    "00:00:00+24:00",
    "00:00:00",
    "00:00:00z",
  ],
  "date-time": [
    "2024-02-30T00:00:00Z",
    "2024-02-29 00:00:00Z",
    "2024-02-29\u00a000:00:00Z",
    "2024-02-29T24:00:00Z",
  ],
  ipv4: ["256.0.0.1", "01.0.0.1", "0.0.0"],
  ipv6: ["::1", "::ffff:256.0.0.1", "1::2::3"],
  email: ["a@b", "a.@b.c", "a@b..c"],
  uuid: ["00000000-0000-0000-0000-00000000000G", "{00000000-0000-0000-0000-000000000000}"],
};

const rawJson = (text: string): RawJson => new RawJson(text);

/** Nesting depth: more than the 1,000 of Python's recursion limit. Deeper values only take longer. */
const DEEP = 1_200;

/** Values that are put into records to test agreement. */
export interface Oddities {
  readonly values: readonly unknown[];
  /** Names of undeclared fields. */
  readonly keys: readonly string[];
}

/** Values of every type. */
const PLAIN: Oddities = {
  values: [null, true, 0, -1, 0.5, "", "a\n", [], {}, [null]],
  keys: ["extra", "__proto__"],
};

/** Includes values on which implementations are known to disagree, and names of built-in members. */
export const ODD: Oddities = {
  values: [
    ...PLAIN.values,
    ...[false, 1, 2, 1.5, "0", "1", [{}]],
    ...["０123456789abcdef", "😀", "e\u0301", "\u2028"],
    ...["1.0", "0.0", "-0", "-0.0", "1e0", "1E2", "10e-1", "1e-400", "1e400", "-1e400"].map(
      rawJson,
    ),
    ...["[1,1.0]", '[1,true,"1"]', '[{"a":0,"b":false},{"b":false,"a":0.0}]'].map(rawJson),
    ...["1e300", "-9007199254740992"].map(rawJson),
    ...["9007199254740992", "9007199254740993", "1".repeat(309), "1".repeat(5000)].map(rawJson),
    ...['"\\ud800"', '"\\udc00\\ud800"'].map(rawJson),
  ],
  keys: [...PLAIN.keys, ...["constructor", "toString", "0", "", "a/b", "a~b", "__class__"]],
};

/** Includes a deeply nested array, which takes as long as a hundred other values. */
export const ODD_AND_DEEP: Oddities = {
  ...ODD,
  values: [...ODD.values, rawJson("[".repeat(DEEP) + "]".repeat(DEEP))],
};

/** One of `values`, with equal probability. Throws if there are none. */
export function pick<T>(values: readonly T[], random: RandomGenerator): T {
  if (values.length === 0) throw new Error("nothing to pick from");
  const index = uniformInt(random, 0, values.length - 1);
  for (const value of values.slice(index)) return value;
  throw new RangeError(`no value at ${index} of ${values.length}`);
}
