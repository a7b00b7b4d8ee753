import { parseSchemaVersion, type TypeGuess, TypeGuesser } from "../../../base/json/entry-type.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import type { LoadedVersion } from "../../compat/load-version.js";
import { declaredProperties, requiredNames } from "../../compat/places/members.js";
import { Place } from "../../compat/places/place.js";
import { childOf, type SchemaLocation } from "../../compat/schema/schema-set.js";
import { listNamedTypes, type NamedType } from "../../schemas/named-types.js";
import type { Canonical } from "../canonical.js";

/** A record type of the newest version of a schema. */
export interface RecordType extends NamedType {
  /** Name of the schema. */
  readonly schema: string;
  /** The newest version of the schema. */
  readonly version: string;
  /** Names of the declared fields. */
  readonly fields: readonly string[];
  readonly required: readonly string[];
  /** What the `schema_version` of its records says before the number. */
  readonly says: string;
  /** Names of the types that its records are of: its own, and those that require no more fields of the same schema. */
  readonly kinds: readonly string[];
}

/** The record types that repositories exchange, and the answer which of them a record is of. */
export class RecordTypes {
  readonly all: readonly RecordType[];
  readonly #guesser: TypeGuesser<string>;

  /** Schemas that cannot be loaded have none: they are reported elsewhere. */
  constructor(canonical: Canonical) {
    const types = canonical.formats().flatMap(({ name: schema, inferred }) => {
      const newest = inferred === false ? undefined : canonical.newest(schema);
      if (newest === undefined) return [];
      const loaded = tryToLoad(() => canonical.load(schema, newest));
      if (loaded === undefined) return [];
      return listNamedTypes(JSON.parse(newest.text), schema).map((type) => {
        const { version } = newest;
        return { ...type, schema, version, ...describeFields(loaded, type, schema) };
      });
    });
    this.all = types.map((type) => ({
      ...type,
      kinds: types.filter((other) => includes(type, other)).map(({ name }) => name),
    }));
    this.#guesser = new TypeGuesser(
      this.all
        .filter(({ required }) => required.length > 0)
        .map((type) => ({ name: keyOf(type), required: type.required, schema: type.says })),
    );
  }

  /** The type that a record resembles most: see `TypeGuesser`. Undefined if it resembles none. */
  guess(record: JsonObject): (TypeGuess<string> & { readonly type: RecordType }) | undefined {
    const guess = this.#guesser.guess(record);
    const type = guess && this.all.find((each) => keyOf(each) === guess.name);
    return guess && type && { ...guess, type };
  }

  /** Whether a record says that it is of one of these types: by its `schema_version`, else by all its fields. */
  claims(record: JsonObject): boolean {
    if (this.#guesser.isForeign(record)) return false;
    return typeof record.schema_version === "string" || this.guess(record)?.isComplete === true;
  }
}

type DescribedType = Omit<RecordType, "kinds">;

/** Whether a record of one type has what the other requires. */
function includes(one: DescribedType, other: DescribedType): boolean {
  if (one === other) return true;
  const { schema, required } = other;
  return (
    one.schema === schema &&
    required.length > 0 &&
    required.every((name) => one.required.includes(name))
  );
}

function keyOf({ schema, pointer }: RecordType): string {
  return `${schema}#${pointer}`;
}

/** Undefined if a schema cannot be loaded. */
export function tryToLoad<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The schema of a type in a loaded document. */
export function locateType({ root }: LoadedVersion, { pointer }: NamedType): SchemaLocation {
  return pointer === "" ? root : childOf(root, pointer);
}

/** What a record of a type has, and what its `schema_version` says. */
function describeFields(
  loaded: LoadedVersion,
  type: NamedType,
  schema: string,
): Pick<RecordType, "fields" | "required" | "says"> {
  const location = locateType(loaded, type);
  const place = new Place([location], location);
  const properties = declaredProperties(place);
  const version = readConst(location.schema);
  return {
    fields: [...properties.keys()],
    required: [...requiredNames(place).keys()],
    says: parseSchemaVersion(version)?.schema || schema,
  };
}

function readConst(schema: unknown): unknown {
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  const version = isJsonObject(properties) ? properties.schema_version : undefined;
  return isJsonObject(version) ? version.const : undefined;
}
