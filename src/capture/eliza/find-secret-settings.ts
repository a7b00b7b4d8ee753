import { readField } from "../read-field.js";
import { isSecretValue, looksRandom } from "../redact/is-secret-value.js";
import { namingOf } from "../redact/naming-of.js";
import { isHandler } from "./handler.js";

/** Shorter values are words of everyday texts: redacting them would hide those. */
const MIN_LENGTH = 8;
/** A URL that holds a password. */
const SECRET_URL = /:\/\/[^/@\s]*:[^/@\s]+@/;

/**
 * Values of the runtime's secret settings (`character.secrets`, `character.settings.secrets`), as they are
 * stored and as `getSetting` gives them, which decrypts. Of these, only what has the name of a secret, a password in a
 * URL, or the look of a key counts: `NODE_ENV` and `MODEL` stand there too, and the runtime can copy the whole
 * environment into its secrets.
 */
export function findSecretSettings(runtime: object): string[] {
  const character = readField(runtime, "character");
  const secrets = [
    readField(character, "secrets"),
    readField(readField(character, "settings"), "secrets"),
  ];
  const values = new Set<string>();
  for (const [name, stored] of secrets.flatMap(listEntries)) {
    for (const value of [stored, readSetting(runtime, name)]) {
      if (typeof value === "string" && isSecretSetting(name, value)) values.add(value);
    }
  }
  return [...values];
}

function isSecretSetting(name: string, value: string): boolean {
  if (value.length < MIN_LENGTH) return false;
  if (SECRET_URL.test(value) || looksRandom(value)) return true;
  const naming = namingOf(name);
  return naming !== undefined && isSecretValue(value, naming === "token" ? "secret" : naming);
}

function listEntries(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).map((key) => [key, readField(value, key)]);
}

function readSetting(runtime: object, name: string): unknown {
  try {
    const getSetting = readField(runtime, "getSetting");
    return isHandler(getSetting) ? Reflect.apply(getSetting, runtime, [name]) : undefined;
  } catch {
    return undefined;
  }
}
