import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import { isSchema } from "../schema/subschemas.js";

/** Undefined: it depends on a part of the schema that cannot be read, or takes too long. */
export type Truth = boolean | undefined;

/** The properties and items of one value that schemas evaluated (draft 2020-12, section 11). */
export class Evaluated {
  readonly keys = new Set<string>();
  /** Whether there may be others: a schema with a hole may be valid. */
  isUnsure = false;

  add({ keys, isUnsure }: Evaluated): void {
    for (const key of keys) this.keys.add(key);
    this.isUnsure ||= isUnsure;
  }
}

/** One evaluation of a value. */
export interface Run {
  /** Counts work; throws GivenUp if it is too much. */
  readonly step: (cost: number) => void;
  /** Whether a value is valid under a schema. What that evaluates is added to `seen`. */
  evaluate(location: SchemaLocation, value: unknown, seen?: Evaluated): Truth;
  /** The same for a schema that applies to the whole value, which adds to what is evaluated if it is valid. */
  apply(location: SchemaLocation, subject: Subject): Truth;
}

/** One schema, and the value that is held against it. */
export interface Subject {
  readonly schema: JsonObject;
  readonly location: SchemaLocation;
  readonly value: unknown;
  /** Collects what is evaluated; undefined if nobody asks. */
  readonly seen: Evaluated | undefined;
  readonly run: Run;
}

/** Whether a value meets one keyword of a schema. */
export type Rule = (subject: Subject) => Truth;

/** By keyword. */
export type Rules = Readonly<Record<string, Rule>>;

/** A subschema where it stands. */
export function at({ set, uri, pointer }: SchemaLocation, schema: unknown): SchemaLocation {
  if (!isSchema(schema)) return { set, uri, pointer, schema: true };
  const known = typeof schema === "object" ? set.locate(schema) : undefined;
  return known ?? { set, uri, pointer, schema };
}

export const all = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
export const opposite = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

/** How many of some schemas or items are valid: surely, and perhaps. */
export function countOf(truths: readonly Truth[]): readonly [surely: number, perhaps: number] {
  const surely = truths.filter((truth) => truth === true).length;
  return [surely, surely + truths.filter((truth) => truth === undefined).length];
}

export function isWithin(
  [surely, perhaps]: readonly [number, number],
  min: number,
  max: number,
): Truth {
  if (perhaps < min || surely > max) return false;
  return surely >= min && perhaps <= max ? true : undefined;
}

export function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

/** A rule for objects; all other values meet it. */
export function ofObject(test: (subject: Subject, value: JsonObject) => Truth): Rule {
  return (subject) => !isJsonObject(subject.value) || test(subject, subject.value);
}
