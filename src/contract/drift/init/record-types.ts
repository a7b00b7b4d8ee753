import type { JsonObject } from "../../../base/json/value.js";
import { type LoadedVersion, loadVersion } from "../../compat/load-version.js";
import { declaredProperties, requiredNames } from "../../compat/places/members.js";
import { Place } from "../../compat/places/place.js";
import { childOf } from "../../compat/schema/schema-set.js";
import type { Canonical } from "../canonical.js";
import { listFormats } from "../scan/forks.js";

/** A record type of the newest version of a schema. */
export interface RecordType {
  readonly name: string;
  /** Name of the schema. */
  readonly schema: string;
  /** The newest version of the schema. */
  readonly version: string;
  /** Names of the declared fields. */
  readonly fields: readonly string[];
  readonly required: readonly string[];
}

/** The record types of every schema of the format. The tool's own files are left out. */
export function listRecordTypes(canonical: Canonical): RecordType[] {
  return listFormats(canonical).flatMap(({ name: schema, types }) => {
    const newest = canonical.newest(schema);
    if (newest === undefined) return [];
    const { version, text } = newest;
    const loaded = loadVersion({ name: schema, text, others: canonical.schemaTexts() });
    return types.map((name) => ({ name, schema, version, ...describeFields(loaded, name) }));
  });
}

function describeFields({ root }: LoadedVersion, type: string) {
  const location = childOf(root, `/$defs/${type}`);
  const place = new Place([location], location);
  return {
    fields: [...declaredProperties(place).keys()],
    required: [...requiredNames(place).keys()],
  };
}

/**
 * The type that a record most likely has: the one of which most fields are there. Undefined if at least half of the
 * required fields of every type are missing.
 */
export function guessRecordType(
  record: JsonObject,
  types: readonly RecordType[],
): RecordType | undefined {
  let best: { readonly type: RecordType; readonly score: number } | undefined;
  for (const type of types) {
    const present = type.required.filter((name) => Object.hasOwn(record, name)).length;
    if (2 * present <= type.required.length) continue;
    const declared = type.fields.filter((name) => Object.hasOwn(record, name)).length;
    const score = present / type.required.length + declared / Object.keys(record).length;
    if (best === undefined || score > best.score) best = { type, score };
  }
  return best?.type;
}
