import { readField } from "../capture/snapshot.js";
import { isPlainWord, isSecretValue, looksRandom, namingOf } from "../redact/field-names.js";
import { isHandler } from "./instrument/patch.js";

/** Shorter values are words of everyday texts: redacting them would hide those. */
const MIN_LENGTH = 8;
/** A URL that holds a password. */
const SECRET_URL = /:\/\/[^/@\s]*:[^/@\s]+@/;

/** The last word of the names of settings that are no secrets: `TEXT_MODEL`, `logLevel`. */
const PLAIN_SETTING =
  /(?:^|[^a-z])(?:address|contract|mint|dir|folder|path|home|enabled|env|environment|host|port|url|uri|endpoint|interval|language|locale|timezone|level|mode|model|name|username|provider|region|version)s?$/;

/**
 * Values of the runtime's secret settings (`character.secrets`, `character.settings.secrets`), as they are
 * stored and as `getSetting` gives them, which decrypts. `NODE_ENV` and `MODEL` stand there too, and stay; and since
 * the runtime can copy the whole environment into its secrets, of what stands in both only that counts which has the
 * name of a secret, a password in a URL, or the look of a key.
 */
export function findSecretSettings(
  runtime: object,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const character = readField(runtime, "character");
  const secrets = [
    readField(character, "secrets"),
    readField(readField(character, "settings"), "secrets"),
  ];
  const values = new Set<string>();
  for (const [name, stored] of secrets.flatMap(listEntries)) {
    for (const value of [stored, readSetting(runtime, name)]) {
      if (typeof value !== "string") continue;
      const isPlain = isPlainSetting(name) || value === env[name];
      if (isSecretSetting(name, value, isPlain)) values.add(value);
    }
  }
  return [...values];
}

function isPlainSetting(name: string): boolean {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1_$2");
  return PLAIN_SETTING.test(words.toLowerCase());
}

function isSecretSetting(name: string, value: string, isPlain: boolean): boolean {
  if (value.length < MIN_LENGTH || isPlainWord(value)) return false;
  if (SECRET_URL.test(value) || looksRandom(value)) return true;
  const naming = namingOf(name);
  if (naming === undefined) return !isPlain;
  return isSecretValue(value, naming === "token" ? "secret" : naming);
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
