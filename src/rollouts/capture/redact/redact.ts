import { createHmac, randomBytes } from "node:crypto";

/**
 * Removes secrets from a record or any part of one. Returns a copy of the same shape and does not modify its
 * argument. `record` must be JSON, as returned by `toSnapshot` or `JSON.parse`.
 */
export type Redact = <T extends object>(record: T) => T;

/** Like `Redact`, but in steps. Do not modify the record until the walk is done. */
export type RedactInTurns = (record: object) => Walk<object>;

/** What `redactSecrets` replaces, and what it keeps. */
export interface RedactOptions {
  /**
   * Known secrets, such as the values of the runtime's secret settings. They are redacted wherever they occur.
   * A function is called again for every record. Values of fewer than 6 characters are ignored.
   */
  readonly values?: Iterable<string> | (() => Iterable<string>);
  /**
   * Key of the hash in the placeholders. By default it is random for each redactor, so that secrets cannot be
   * found by hashing guesses. To get the same placeholders in several processes, pass the same key, and keep it
   * secret.
   */
  readonly key?: string | Uint8Array;
}

/** Work that is done in steps: the generator yields after each step and returns the result. */
export type Walk<T> = Generator<undefined, T, undefined>;

/** Number of characters processed between two yields: about 2 ms of work. */
export const TURN = 16_384;

/** Counts the characters that a walk has processed. */
export interface Meter {
  /** Adds to the count. Returns true if it is time to yield. */
  spend(characters: number): boolean;
}

/** Cost of a value with few or no characters. */
const LEAST = 64;

export function createMeter(): Meter {
  let spent = 0;
  return {
    spend(characters) {
      spent += LEAST + characters;
      if (spent < TURN) return false;
      spent = 0;
      return true;
    },
  };
}

/** Runs all steps at once. */
export function finish<T>(walk: Walk<T>): T {
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return step.value;
}

/** Creates a placeholder from the kind of a secret and its hash, such as `[redacted:email:1f3a9c07]`. */
export type PlaceholderOf = (kind: string, secret: string) => string;

/** A placeholder of any redactor. */
export const PLACEHOLDER = /\[redacted:[a-z0-9-]{1,32}:[0-9a-f]{8}\]/;

/** Hexadecimal digits of the hash. Among 1,000 secrets, two share a placeholder in one of 8,000 runs. */
const DIGITS = 8;
/** Size of a random key in bytes: the same as the hash. */
const KEY_BYTES = 32;

/**
 * The same key gives the same placeholder for the same secret. The hash is keyed (HMAC-SHA-256), so that a
 * placeholder cannot be reversed by hashing all card numbers or all known addresses.
 */
export function createPlaceholders(
  key: string | Uint8Array = randomBytes(KEY_BYTES),
): PlaceholderOf {
  return (kind, secret) => {
    const hash = createHmac("sha256", key).update(secret, "utf8").digest("hex");
    return `[redacted:${kind}:${hash.slice(0, DIGITS)}]`;
  };
}
