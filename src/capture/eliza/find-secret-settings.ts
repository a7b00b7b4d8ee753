import { readField } from "../read-field.js";
import { isSecretName } from "../redact/is-secret-name.js";
import { isHandler } from "./handler.js";

/** Shorter values are words of everyday texts: redacting them would hide those. */
const MIN_LENGTH = 8;
/** A URL that holds a password. */
const SECRET_URL = /:\/\/[^/@\s]*:[^/@\s]+@/;

/**
 * Values of the runtime's secret settings (`character.secrets`, `character.settings.secrets`), as they are
 * stored and as `getSetting` gives them, which decrypts. The runtime can copy the whole environment into
 * its secrets: of what stands in both, only what has the name of a secret, or a password in a URL, counts.
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
    const isOfEnv = typeof stored === "string" && stored === env[name];
    if (isOfEnv && !isSecretName(name) && !SECRET_URL.test(stored)) continue;
    for (const value of [stored, readSetting(runtime, name)]) {
      if (typeof value === "string" && value.length >= MIN_LENGTH) values.add(value);
    }
  }
  return [...values];
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
