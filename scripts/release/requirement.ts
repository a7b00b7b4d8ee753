import type { SchemaChange, SchemaVersion } from "../../conformance/versions/changes.js";
import { pairEntryPoints } from "../../src/compat/entry-points.js";
import type { Finding } from "../../src/findings/finding.js";
import { isJsonObject, type JsonObject } from "../../src/json/value.js";
import { canonicalHash } from "../../src/schemas/hashes.js";
import { type Bump, parseVersion } from "../../src/schemas/version.js";

/** A schema that is going to be published. */
export interface PlannedRelease {
  readonly change: SchemaChange;
  /** What it asks of those who use the schema; `first` when there was no version before. */
  readonly bump: Bump | "first";
  readonly version: string;
  /** Where it is going to be published, from the repository's root. */
  readonly file: string;
  readonly definitions: readonly ChangedDefinition[];
}

/** What a requirement found. */
export interface Fulfilment {
  /** What is missing, each with what to do. */
  readonly findings: readonly Finding[];
  /** What was tried, in one line, where there is anything to tell. */
  readonly shown?: string;
}

/** What a schema that is published must come with. A new one is a file in `requirements/` and a line in its index. */
export interface Requirement {
  /** Also the id of its findings. */
  readonly id: string;
  /** What must be there, in one sentence. */
  readonly purpose: string;
  /** Looks at the repository at `root`. Throws UserError for a file that cannot be read. */
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
  /** What has changed, as a changelog names it: `Type.property`, or `Type` for the definition itself. */
  readonly parts: readonly string[];
}

/** The definitions in which two versions differ, by name; all of `after` when there was none before. */
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

/** Names of the definitions that are types of records. */
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
  // The same in another order, or a change of its other keywords, is one of the definition itself.
  return properties.length === 0 || !isSame(oldRest, newRest) ? [name, ...properties] : properties;
}

/** What only one of two lists holds. */
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

/** Whether old data may be invalid under what is released: it has a new major version. */
export function isBreaking({ bump }: PlannedRelease): boolean {
  return bump === "major";
}

/** What the page and the program of a migration are called: `rollout-wire-v2`. */
export function toMigrationName({ change, version }: PlannedRelease): string {
  return `${change.entry.name}-v${parseVersion(version).major}`;
}
