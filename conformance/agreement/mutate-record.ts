import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { pick } from "./pick.js";

/**
 * Stands for JSON text that JSON.stringify would not print: the mutated record holds this string,
 * and `toText` puts the raw text in its place.
 */
const RAW = "\u0000raw:";

const raw = (text: string): string => `${RAW}${text}`;

/** Values that implementations are known to judge differently. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2, -1, 0.5, 1.5, "", "0", "1", "pass", "a\n", [], {}, [null], [{}]],
  ...["0123456789abcdef", "0123456789abcdef\n", "0123456789ABCDEF", "０123456789abcdef"],
  ...["wasmagent-rollout", "wasmagent-rollout ", "rollout-wire/v1", "tool_call", "😀", "e\u0301"],
  ...["1.0", "0.0", "-0", "-0.0", "1e0", "1E2", "10e-1", "1e-400", "1e400", "-1e400"].map(raw),
  ...["9007199254740993", "1".repeat(309), "1".repeat(5000), '"\\ud800"', '"\\udc00\\ud800"'].map(
    raw,
  ),
  raw("[".repeat(3000) + "]".repeat(3000)),
];

const KEYS = ["extra", "__proto__", "constructor", "toString", "0", "", "a/b", "a~b", "Rank"];

type Container = unknown[] | Record<string, unknown>;

interface Place {
  readonly container: Container;
  readonly key: string | number;
}

/** A copy of `record` that differs in one place: removed, replaced, added, or changed a little. */
export function mutateRecord(record: unknown, random: RandomGenerator): unknown {
  const copy = structuredClone(record);
  const root = { record: copy };
  const whole: Place = { container: root, key: "record" };
  // Now and then the record as a whole; else something inside it.
  const place =
    isContainer(copy) && uniformInt(random, 0, 15) > 0 ? pickPlace(copy, random) : whole;
  const kind = pick(["replace", "replace", "tweak", "remove", "add"] as const, random);
  const value = valueAt(place);
  if (kind === "remove" && place !== whole) removeAt(place);
  else if (kind === "add" && isContainer(value)) addTo(value, random);
  else if (kind === "tweak") setAt(place, tweak(value, random));
  else setAt(place, pick(VALUES, random));
  return root.record;
}

/** The JSON text of a mutated record. */
export function toText(record: unknown): string {
  return JSON.stringify(record).replace(/"\\u0000raw:((?:[^"\\]|\\.)*)"/g, (_, text: string) =>
    JSON.parse(`"${text}"`),
  );
}

/**
 * A place of the record: walks down from the top and stops at each level with even odds, so that
 * the few declared fields are not lost among the many opaque values deep inside.
 */
function pickPlace(container: Container, random: RandomGenerator): Place {
  const keys = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  const place = { container, key: pick<string | number>(keys, random) };
  const value = valueAt(place);
  const goesOn = isContainer(value) && Object.keys(value).length > 0 && pick([true, false], random);
  return goesOn ? pickPlace(value, random) : place;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function valueAt({ container, key }: Place): unknown {
  return Reflect.get(container, key);
}

function setAt({ container, key }: Place, value: unknown): void {
  Object.defineProperty(container, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function removeAt({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(container, key);
}

function addTo(container: Container, random: RandomGenerator): void {
  const value = pick(VALUES, random);
  if (Array.isArray(container)) container.push(value);
  else setAt({ container, key: pick(KEYS, random) }, value);
}

function tweak(value: unknown, random: RandomGenerator): unknown {
  if (typeof value === "number") return value + pick([-1, 1, 0.5, -0.5, 1e-9, 1e16], random);
  if (typeof value === "string") {
    return pick(
      [`${value}\n`, ` ${value}`, value.slice(1), value.slice(0, -1), value.toUpperCase()],
      random,
    );
  }
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value))
    return pick([value.slice(1), [...value, ...value], { ...value }], random);
  if (isContainer(value)) return pick([[value], Object.values(value)], random);
  return 0;
}
