import type { SchemaChange, SchemaVersion } from "../../conformance/versions/changes.js";
import { pairEntryPoints } from "../../src/compat/entry-points.js";
import type { Finding } from "../../src/findings/finding.js";
import { isJsonObject, type JsonObject } from "../../src/json/value.js";
import { canonicalHash } from "../../src/schemas/hashes.js";
import { type Bump, parseVersion } from "../../src/schemas/version.js";

/** A schema that is about to be published. */
export interface PlannedRelease {
  readonly change: SchemaChange;
  /** Its effect on users of the schema; `first` if there was no version before. */
  readonly bump: Bump | "first";
  readonly version: string;
  /** The path where it will be published, from the repository's root. */
  readonly file: string;
  readonly definitions: readonly ChangedDefinition[];
}

/** The result of a requirement. */
export interface Fulfilment {
  /** Everything that is missing, each with a fix. */
  readonly findings: readonly Finding[];
  /** What was verified, in one line, if anything. */
  readonly shown?: string;
}

/**
 * A precondition for publishing a schema. To add one, create a file in `requirements/` and register it in its
 * index.
 */
export interface Requirement {
  /** Also the id of its findings. */
  readonly id: string;
  /** The precondition, in one sentence. */
  readonly purpose: string;
  /** Examines the repository at `root`. Throws UserError for an unreadable file. */
  check(root: string, release: PlannedRelease): Promise<Fulfilment>;
}

/** Names of the record types of a version. */
export function listEntryTypes({ root }: SchemaVersion): readonly string[] {
  return pairEntryPoints(root, root).map(({ name }) => name);
}

/** A definition that differs between two versions of a schema. */
export interface ChangedDefinition {
  readonly name: string;
  readonly kind: "added" | "changed" | "removed";
  /** The changes, as a changelog names them: `Type.property`, or `Type` for the definition itself. */
  readonly parts: readonly string[];
}

/** The definitions that differ between two versions, by name; all of `after` if there was no version before. */
export function listChangedDefinitions(
  before: JsonObject | undefined,
  after: JsonObject,
): ChangedDefinition[] {
  const [olds, news] = [objectAt(before, "$defs"), objectAt(after, "$defs")];
  const [oldEntries, newEntries] = [entriesOf(before), entriesOf(after)];
  return namesOf(olds, news).flatMap((name): ChangedDefinition[] => {
    if (!Object.hasOwn(olds, name)) return [{ name, kind: "added", parts: [name] }];
    if (!Object.hasOwn(news, name)) return [{ name, kind: "removed", parts: [name] }];
    const parts = listChangedParts(name, olds[name], news[name]);
    const isMoved = oldEntries.has(name) !== newEntries.has(name);
    const all = isMoved ? [name, ...parts] : parts;
    return all.length === 0 ? [] : [{ name, kind: "changed", parts: [...new Set(all)] }];
  });
}

/** Names of the definitions that are record types. */
function entriesOf(document: JsonObject | undefined): ReadonlySet<string> {
  const members: unknown = document?.anyOf;
  const refs = Array.isArray(members) ? members.filter(isJsonObject).map(({ $ref }) => $ref) : [];
  return new Set(refs.map((ref) => String(ref).replace("#/$defs/", "")));
}

function listChangedParts(name: string, before: unknown, after: unknown): string[] {
  if (isSame(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [name];
  const { properties: _old, required: oldRequired, ...oldRest } = before;
  const { properties: _new, required: newRequired, ...newRest } = after;
  const [olds, news] = [objectAt(before, "properties"), objectAt(after, "properties")];
  const changed = namesOf(olds, news).filter((property) => !isSame(olds[property], news[property]));
  const moved = difference(textsOf(oldRequired), textsOf(newRequired));
  const properties = [...new Set([...changed, ...moved])].map((property) => `${name}.${property}`);
  // A different order, or a change of other keywords, counts as a change of the definition itself.
  return properties.length === 0 || !isSame(oldRest, newRest) ? [name, ...properties] : properties;
}

/** The elements that only one of two lists has. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const isIn = (texts: readonly string[]) => (text: string) => texts.includes(text);
  return [...one.filter((text) => !isIn(other)(text)), ...other.filter((text) => !isIn(one)(text))];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function namesOf(...objects: readonly JsonObject[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))];
}

function objectAt(object: JsonObject | undefined, key: string): JsonObject {
  const value = object?.[key];
  return isJsonObject(value) ? value : {};
}

function isSame(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined
    ? one === other
    : canonicalHash(one) === canonicalHash(other);
}

/** Whether the release breaks old data, so that it has a new major version. */
export function isBreaking({ bump }: PlannedRelease): boolean {
  return bump === "major";
}

/** The name of the page and the program of a migration: `rollout-wire-v2`. */
export function toMigrationName({ change, version }: PlannedRelease): string {
  return `${change.entry.name}-v${parseVersion(version).major}`;
}
