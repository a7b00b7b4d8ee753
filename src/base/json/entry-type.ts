import { type EntryTypeName, entryTypes, type ValidationError } from "#generated/index.js";
import { shapes } from "#generated/shapes.js";
import { resolvePointer } from "./pointer.js";
import { type ErrorDescription, explainError, isSchemaVersion } from "./schema-error.js";
import type { JsonObject } from "./value.js";

/** The type that a record resembles most. */
export interface TypeGuess {
  readonly name: EntryTypeName;
  /** Whether the record has every field that the type requires. */
  readonly isComplete: boolean;
  /** Whether the record has more of the required fields than it lacks, or names the type's schema. */
  readonly isNear: boolean;
}

interface Inferable {
  readonly name: EntryTypeName;
  readonly required: readonly string[];
  /** Of its schema, such as `rollout-wire` and 1. */
  readonly schema: string;
  readonly major: number;
}

const inferable: readonly Inferable[] = entryTypes
  .filter(({ inferred, required }) => inferred && required.length > 0)
  .map(({ name, required, schema }) => ({ name, required, ...parseVersion(schema) }));

/** The major version of each schema. */
const majors: ReadonlyMap<string, number> = new Map(
  entryTypes.map(({ schema: id }) => {
    const { schema, major } = parseVersion(id);
    return [schema, major];
  }),
);

/** Maps each field to the types that require it, by index. */
const requiring = new Map<string, readonly number[]>();
for (const [index, { required }] of inferable.entries()) {
  for (const field of required) requiring.set(field, [...(requiring.get(field) ?? []), index]);
}

/**
 * Guesses the entry type of `record` from its field names. The best match has the most required fields present,
 * minus those missing; on a tie, the first type in schema order. If it lacks a field, a `schema_version` counts as one
 * more field of the types of its schema, in whatever version. Undefined if no required field of any type is present.
 *
 * Never guesses a type without required fields, nor a type of the tool's own schemas, which the registry marks.
 */
export function guessType(record: JsonObject): TypeGuess | undefined {
  const present = inferable.map(() => 0);
  for (const field in record) {
    for (const index of requiring.get(field) ?? []) present[index] = (present[index] ?? 0) + 1;
  }
  const best = findBest(present);
  if (best === undefined) return undefined;
  if (best.found === best.type.required.length) return toGuess(best);
  const named = readVersion(record.schema_version)?.schema;
  return toGuess(findBest(present, named) ?? best, named);
}

/** The name of that type. */
export function inferEntryType(record: JsonObject): EntryTypeName | undefined {
  return guessType(record)?.name;
}

interface Match {
  readonly type: Inferable;
  /** Number of required fields that are present. */
  readonly found: number;
}

/** `present`: by type, the number of required fields that are present. Types of `schema` get two points more. */
function findBest(present: readonly number[], schema?: string): Match | undefined {
  let best: (Match & { readonly score: number }) | undefined;
  for (const [index, type] of inferable.entries()) {
    const found = present[index] ?? 0;
    const score = 2 * found - type.required.length + (type.schema === schema ? 2 : 0);
    if (found > 0 && (best === undefined || score > best.score)) best = { type, found, score };
  }
  return best;
}

function toGuess({ type, found }: Match, schema?: string): TypeGuess {
  return {
    name: type.name,
    isComplete: found === type.required.length,
    isNear: 2 * found > type.required.length || type.schema === schema,
  };
}

/** The fields that a type requires and a record lacks. */
export function listMissing(record: JsonObject, name: EntryTypeName): readonly string[] {
  const type = inferable.find((each) => each.name === name);
  return (type?.required ?? []).filter((field) => !Object.hasOwn(record, field));
}

/**
 * The fields that other types require and this one does not know. A record without them that is complete for this type is
 * not guessed to be of another, because no type requires as many fields, all of which this one knows. A test guards that.
 */
export function listForeignFields(name: EntryTypeName & keyof typeof shapes): readonly string[] {
  const own = new Set(Object.keys(shapes[name].properties ?? {}));
  return [...requiring.keys()].filter((field) => !own.has(field));
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

/** The last two steps of `rollout-wire/v1`, `https://.../rollout-wire/v1` or `urn:...:rollout-wire:v1`. */
function parseVersion(text: string): Pick<Inferable, "schema" | "major"> {
  const [, schema = "", major] = /([^/:]+)[/:]v(\d+)(?:\.\d+)*$/.exec(text) ?? [];
  return { schema, major: Number(major) };
}

/** As `explainError` does, with what is known of a wrong version of a schema. */
export function explainFault(error: ValidationError, record: unknown): ErrorDescription {
  const said = explainError(error, record);
  if (!isAboutVersion(error)) return said;
  const problem = readVersion(resolvePointer(record, error.pointer))?.problem;
  if (problem === undefined) return said;
  return { message: `${said.message}, ${problem}`, cause: `${said.cause}, ${problem}` };
}

/** The message alone. */
export function describeFault(error: ValidationError, record: unknown): string {
  return explainFault(error, record).message;
}

/** Whether a value is not the version of the schema that it must be. */
export function isAboutVersion({ keyword, params }: ValidationError): boolean {
  return keyword === "const" && isSchemaVersion(params.allowedValue);
}
