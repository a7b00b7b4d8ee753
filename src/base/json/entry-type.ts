import { type EntryTypeName, entryTypes, type ValidationError } from "#generated/index.js";
import { shapes } from "#generated/shapes.js";
import { resolvePointer } from "./pointer.js";
import { isSchemaVersion } from "./schema-error.js";
import type { JsonObject } from "./value.js";

/** The type that a record resembles most. */
export interface TypeGuess<Name extends string = EntryTypeName> {
  readonly name: Name;
  /** Whether the record has every field that the type requires. */
  readonly isComplete: boolean;
  /** Whether the record has more of the required fields than it lacks, or names the type's schema. */
  readonly isNear: boolean;
}

/** A record type that can be told by the fields of a record. */
interface GuessableType<Name extends string> {
  readonly name: Name;
  /** Not empty. */
  readonly required: readonly string[];
  /** What `schema_version` says before the version number, such as `rollout-wire`. */
  readonly schema: string;
}

/** Guesses the types of records by their fields. */
export class TypeGuesser<Name extends string> {
  readonly #types: readonly GuessableType<Name>[];
  /** Maps each field to the types that require it, by index. */
  readonly #requiring = new Map<string, readonly number[]>();

  constructor(types: readonly GuessableType<Name>[]) {
    this.#types = types;
    for (const [index, { required }] of types.entries()) {
      for (const field of required) {
        this.#requiring.set(field, [...(this.#requiring.get(field) ?? []), index]);
      }
    }
  }

  /** The fields that any type requires. */
  get requiredFields(): string[] {
    return [...this.#requiring.keys()];
  }

  /**
   * The type of a record. The best match has the most required fields present, minus those missing; on a tie, the first
   * type in order. If it lacks a field, a `schema_version` counts as one more field of the types of its schema, in
   * whatever version. Undefined if no required field of any type is present.
   */
  guess(record: JsonObject): TypeGuess<Name> | undefined {
    const present = this.#types.map(() => 0);
    for (const field in record) {
      for (const index of this.#requiring.get(field) ?? []) {
        present[index] = (present[index] ?? 0) + 1;
      }
    }
    const best = this.#findBest(present);
    if (best === undefined) return undefined;
    if (best.found === best.type.required.length) return toGuess(best);
    const named = parseSchemaVersion(record.schema_version)?.schema;
    return toGuess(this.#findBest(present, named) ?? best, named);
  }

  /** The fields that the type of that name requires and a record lacks. */
  listMissing(record: JsonObject, name: Name): readonly string[] {
    const type = this.#types.find((each) => each.name === name);
    return (type?.required ?? []).filter((field) => !Object.hasOwn(record, field));
  }

  /** Whether a record says in `schema_version` that it is of a schema that none of the types belongs to. */
  isForeign({ schema_version: text }: JsonObject): boolean {
    const said = parseSchemaVersion(text);
    return said !== undefined && this.#types.every(({ schema }) => schema !== said.schema);
  }

  /** `present`: by type, the number of required fields that are present. Types of `schema` get two points more. */
  #findBest(present: readonly number[], schema?: string): Match<Name> | undefined {
    let best: (Match<Name> & { readonly score: number }) | undefined;
    for (const [index, type] of this.#types.entries()) {
      const found = present[index] ?? 0;
      const score = 2 * found - type.required.length + (type.schema === schema ? 2 : 0);
      if (found > 0 && (best === undefined || score > best.score)) best = { type, found, score };
    }
    return best;
  }
}

interface Match<Name extends string> {
  readonly type: GuessableType<Name>;
  /** Number of required fields that are present. */
  readonly found: number;
}

function toGuess<Name extends string>(
  { type, found }: Match<Name>,
  schema?: string,
): TypeGuess<Name> {
  return {
    name: type.name,
    isComplete: found === type.required.length,
    isNear: 2 * found > type.required.length || type.schema === schema,
  };
}

/** The major version of each schema. */
const majors: ReadonlyMap<string, number> = new Map(
  entryTypes.map(({ schema: id }) => {
    const { schema, major } = parseVersion(id);
    return [schema, major];
  }),
);

/**
 * Guesses the types of this package's schemas. Never guesses a type without required fields, nor a type of the tool's
 * own schemas, which the registry marks.
 */
const guesser = new TypeGuesser(
  entryTypes
    .filter(({ inferred, required }) => inferred && required.length > 0)
    .map(({ name, required, schema }) => ({
      name,
      required,
      schema: parseVersion(schema).schema,
    })),
);

/** Guesses the entry type of `record`: see `TypeGuesser`. */
export function guessType(record: JsonObject): TypeGuess | undefined {
  return guesser.guess(record);
}

/** The name of that type. */
export function inferEntryType(record: JsonObject): EntryTypeName | undefined {
  return guessType(record)?.name;
}

/** The fields that a type requires and a record lacks. */
export function listMissing(record: JsonObject, name: EntryTypeName): readonly string[] {
  return guesser.listMissing(record, name);
}

/**
 * The fields that other types require and this one does not know. A record without them that is complete for this type is
 * not guessed to be of another, because no type requires as many fields, all of which this one knows. A test guards that.
 */
export function listForeignFields(name: EntryTypeName & keyof typeof shapes): readonly string[] {
  const own = new Set(Object.keys(shapes[name].properties ?? {}));
  return guesser.requiredFields.filter((field) => !own.has(field));
}

interface SchemaVersion {
  /** Name of the schema, if it is known. */
  readonly schema: string | undefined;
  /** What this program makes of the version, as a noun; undefined if this program reads it. */
  readonly problem: string | undefined;
}

/** What a text such as `rollout-wire/v1` says; undefined if the value is no text. */
export function readVersion(text: unknown): SchemaVersion | undefined {
  if (typeof text !== "string") return undefined;
  const { schema, major } = parseVersion(text);
  const known = majors.get(schema);
  if (known === undefined) {
    return { schema: undefined, problem: "an unknown schema" };
  }
  if (known === major) return { schema, problem: undefined };
  const wanted = `${schema}/v${known}`;
  const problem =
    major > known
      ? `a newer version than the ${wanted} of this program`
      : `an older version than the ${wanted} of this program: migrate --to ${wanted} upgrades it`;
  return { schema, problem };
}

interface ParsedVersion {
  /** Name of the schema. */
  readonly schema: string;
  readonly major: number;
}

/** The last two steps of `rollout-wire/v1`, `https://.../rollout-wire/v1` or `urn:...:rollout-wire:v1`. */
function parseVersion(text: string): ParsedVersion {
  const [, schema = "", major] = /([^/:]+)[/:]v(\d+)(?:\.\d+)*$/.exec(text) ?? [];
  return { schema, major: Number(major) };
}

/** The schema and version that a `schema_version` names, such as `rollout-wire/v1`; undefined if it is no text. */
export function parseSchemaVersion(value: unknown): ParsedVersion | undefined {
  return typeof value === "string" ? parseVersion(value) : undefined;
}

/** The same error, with what is known of a wrong version of a schema. */
export function explainFault(error: ValidationError, record: unknown): ValidationError {
  if (!isAboutVersion(error)) return error;
  const problem = readVersion(resolvePointer(record, error.pointer))?.problem;
  if (problem === undefined) return error;
  const { message, cause } = error;
  return { ...error, message: `${message}, ${problem}`, cause: `${cause}, ${problem}` };
}

/** The message alone. */
export function describeFault(error: ValidationError, record: unknown): string {
  return explainFault(error, record).message;
}

/** Whether a value is not the version of the schema that it must be. */
export function isAboutVersion({ keyword, cause }: ValidationError): boolean {
  const [, literal] = /^must be "(.*)"$/.exec(cause) ?? [];
  return keyword === "const" && isSchemaVersion(literal);
}
