import { createHmac, randomBytes } from "node:crypto";

/**
 * Takes the secrets out of a record, or of any part of one: gives a copy of the same shape and never touches what
 * it was given. `record` is JSON: what `toSnapshot` or `JSON.parse` gives.
 */
export type Redact = <T extends object>(record: T) => T;

/** The same as work to be done in turns; the record is not to be changed until it is done. */
export type RedactInTurns = (record: object) => Walk<object>;

/** Options of `redactSecrets`. */
export interface RedactOptions {
  /**
   * Secrets that are known, such as the values of the runtime's own secret settings: wherever they stand they are
   * taken out. A function is asked anew for every record. Values of fewer than 6 characters are ignored.
   */
  readonly values?: Iterable<string> | (() => Iterable<string>);
  /**
   * Key of the hash in the placeholders. Random for each redactor by default, so that nobody can find a secret by
   * hashing guesses; give one for placeholders that are to be the same in several processes, and keep it secret.
   */
  readonly key?: string | Uint8Array;
}

/** Work that can be done a bit at a time: it yields when enough is done for one turn, and returns what it gives. */
export type Walk<T> = Generator<undefined, T, undefined>;

/** How many characters are looked at between two yields of a walk; about 2 ms of work. */
export const TURN = 16_384;

/** Counts the characters that a walk has looked at. */
export interface Meter {
  /** Notes some more; true when it is time to yield. */
  spend(characters: number): boolean;
}

/** What a value costs that has no characters, or few. */
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

/** Does all of it at once. */
export function finish<T>(walk: Walk<T>): T {
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return step.value;
}

/** Names the kind of a secret, and the secret by a hash, as `[redacted:email:1f3a9c07]`. */
export type PlaceholderOf = (kind: string, secret: string) => string;

/** A placeholder, of this redactor or of another. */
export const PLACEHOLDER = /\[redacted:[a-z0-9-]{1,32}:[0-9a-f]{8}\]/;

/** Hexadecimal digits of the hash: with 1,000 secrets, two share a placeholder once in 8,000 runs. */
const DIGITS = 8;
/** Bytes of a random key: as many as the hash has. */
const KEY_BYTES = 32;

/**
 * One secret has one placeholder, wherever it stands, as long as the key is the same. The hash is keyed
 * (HMAC-SHA-256), so that a placeholder cannot be turned back by hashing every card number or every known address.
 */
export function createPlaceholders(
  key: string | Uint8Array = randomBytes(KEY_BYTES),
): PlaceholderOf {
  return (kind, secret) => {
    const hash = createHmac("sha256", key).update(secret, "utf8").digest("hex");
    return `[redacted:${kind}:${hash.slice(0, DIGITS)}]`;
  };
}
