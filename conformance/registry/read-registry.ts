import { isJsonObject, type JsonObject } from "../../src/records/json-object.js";
import { readJsonFile } from "../files/read-json-file.js";
import { FileFault } from "../findings/file-fault.js";
import type { SchemaHashes } from "./schema-hashes.js";

/** Place of the registry below the repository's root. */
export const REGISTRY_FILE = "schema/registry.json";

/** How firm a schema is: a stable one changes by the rules, an experimental one may change at will. */
const STABILITIES = ["stable", "experimental"] as const;

/** What the registry says of one schema. */
export interface RegistryEntry {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly file: string;
  /** Published versions, oldest first; their bytes never change. */
  readonly released: readonly string[];
  readonly owner: string;
  readonly producers: readonly string[];
  readonly consumers: readonly string[];
  readonly stability: (typeof STABILITIES)[number];
  /** Python functions that stream the records of an entry type, by name; others get a plain name. */
  readonly loaders?: Readonly<Record<string, string>>;
  /** False: no record is taken for one of this schema by its shape, only by name. */
  readonly inferred?: boolean;
  /** Filled in by `npm run generate`; absent in a new entry. */
  readonly hashes?: SchemaHashes;
}

export interface Registry {
  readonly schemas: readonly RegistryEntry[];
}

/**
 * Reads `schema/registry.json` below `root`. Throws as `readJsonFile` does, and FileFault (`registry`) when an
 * entry lacks what it must say.
 */
export function readRegistry(root: string): Registry {
  const { schemas } = readJsonFile(root, REGISTRY_FILE).value;
  if (!Array.isArray(schemas)) throw invalid("/schemas", "must be a list of schemas");
  return { schemas: schemas.map(toEntry) };
}

function toEntry(value: unknown, index: number): RegistryEntry {
  const at = `/schemas/${index}`;
  if (!isJsonObject(value)) throw invalid(at, "must be an object");
  const read = <T>(name: string, is: (field: unknown) => field is T, what: string): T => {
    const field = value[name];
    if (!is(field)) throw invalid(`${at}/${name}`, `must be ${what}`);
    return field;
  };
  const text = (name: string): string => read(name, isText, "text");
  const names = (name: string): string[] => read(name, isNames, "a list of text");
  return {
    id: text("id"),
    name: text("name"),
    version: read("version", isVersion, "a semantic version such as 1.0.0"),
    file: text("file"),
    released: names("released"),
    owner: text("owner"),
    producers: names("producers"),
    consumers: names("consumers"),
    stability: read("stability", isStability, STABILITIES.join(" or ")),
    ...(value.loaders !== undefined && {
      loaders: read("loaders", isTextMap, "an object of type names by function name"),
    }),
    ...(value.inferred !== undefined && { inferred: read("inferred", isBoolean, "true or false") }),
    ...(value.hashes !== undefined && { hashes: toHashes(value.hashes, at) }),
  };
}

function toHashes(value: unknown, at: string): SchemaHashes {
  const { bytes, canonical }: JsonObject = isJsonObject(value) ? value : {};
  if (typeof bytes === "string" && typeof canonical === "string") return { bytes, canonical };
  throw invalid(`${at}/hashes`, "must be an object with the text bytes and canonical");
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isVersion(value: unknown): value is string {
  return isText(value) && /^\d+\.\d+\.\d+$/.test(value);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isStability(value: unknown): value is RegistryEntry["stability"] {
  return STABILITIES.some((stability) => stability === value);
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every(isText);
}

function invalid(pointer: string, message: string): FileFault {
  return new FileFault({ id: "registry", file: REGISTRY_FILE, pointer, message });
}
