import {
  classifyFieldName,
  isPlainWord,
  isSecretValue,
  looksRandom,
} from "../capture/redact/field-names.js";
import { readField } from "../capture/snapshot.js";
import { isHandler } from "./patch.js";

/** Shorter values may be everyday words, which must not be redacted. */
const MIN_LENGTH = 8;
/** A URL that holds a password. */
const SECRET_URL = /:\/\/[^/@\s]*:[^/@\s]+@/;

/** The last word of names of settings that are not secrets: `TEXT_MODEL`, `logLevel`. */
const PLAIN_SETTING =
  /(?:^|[^a-z])(?:address|contract|mint|dir|folder|path|home|enabled|env|environment|host|port|url|uri|endpoint|interval|language|locale|timezone|level|mode|model|name|username|provider|region|version)s?$/;

/**
 * The values of the runtime's secret settings (`character.secrets`, `character.settings.secrets`), both as stored
 * and as `getSetting` decrypts them. Plain settings such as `NODE_ENV` and `MODEL` are left out. The runtime can
 * copy the whole environment into its secrets, so a value that is also there counts only if it has the name of a
 * secret, contains a password in a URL, or looks like a key.
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
  const naming = classifyFieldName(name);
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
