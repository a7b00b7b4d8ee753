import { basename } from "node:path/posix";
import type { RegisteredSchema, Registry } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { parseVersion, printVersion } from "./version.js";

/** The fields of an entry that another owner's registry may have, under the names that are in use for them. */
const FIELDS = {
  id: ["canonical_id", "$id"],
  name: ["id", "name"],
  file: ["path", "file"],
  owner: ["owners", "owner"],
} as const;

/**
 * Reads a registry that another owner keeps in a form of its own: an object whose `schemas` each have the `path` of
 * their file, such as `schemas/index.json` of wasmagent-protocol. Undefined if it is in no such form. An entry without
 * a path has an empty file. Its versions are those that its texts end with (`aep/v0.3` is 0.3.0), else 0.0.0.
 */
export function toRegistry(value: JsonObject): Registry | undefined {
  const { schemas } = value;
  if (!Array.isArray(schemas) || schemas.length === 0) return undefined;
  const entries = schemas.map((entry): JsonObject => (isJsonObject(entry) ? entry : {}));
  if (entries.every(({ path }) => typeof path !== "string")) return undefined;
  return { schemas: entries.map(toEntry) };
}

function toEntry(entry: JsonObject): RegisteredSchema {
  const file = readText(entry, "file").replace(/^\.\//, "");
  const name = toSchemaName(readText(entry, "name")) ?? toSchemaName(basename(file)) ?? "schema";
  const { producers, consumers, stability } = entry;
  return {
    id: readText(entry, "id"),
    name,
    version: readVersion(entry.version),
    file,
    released: [],
    owner: readText(entry, "owner"),
    producers: listTexts(producers),
    consumers: listTexts(consumers),
    stability: stability === "stable" ? "stable" : "experimental",
  };
}

function readText(entry: JsonObject, field: keyof typeof FIELDS): string {
  const [text = ""] = FIELDS[field].flatMap((key) => listTexts(entry[key]));
  return text;
}

function listTexts(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each): each is string => typeof each === "string" && each !== "");
}

/** Lower-case words with hyphens, as the registry names schemas; undefined if the text has no letter. */
function toSchemaName(text: string): string | undefined {
  const words = text
    .replace(/(\.schema)?\.json$/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return words === "" ? undefined : words;
}

function readVersion(text: unknown): string {
  const [, number] = /(?:^|[/v@-])(\d+(?:\.\d+){0,2})$/.exec(String(text)) ?? [];
  return number === undefined ? "0.0.0" : printVersion(parseVersion(number));
}
