import {
  finish,
  type Redact,
  type RedactInTurns,
  type RedactOptions,
  type Walk,
} from "./redact.js";
import { type Redactor, redactJson } from "./redact-json.js";
import { createRedactor } from "./redactor.js";

/**
 * Creates a function that removes secrets from a record before it is stored: provider keys and tokens,
 * authorization headers, URL passwords, private keys, wallet keys, seed phrases, e-mail addresses, card
 * numbers, values of fields with secret names, and given values. It searches values, keys and JSON inside
 * strings.
 *
 * The result is plain JSON: `toJSON` is called first, as in JSON.stringify.
 *
 * Each secret is replaced by a placeholder, `[redacted:<kind>:<hash>]`. The same function uses the same
 * placeholder for the same secret. Redaction is idempotent. Hashes of the task are not recomputed: redact the
 * task first, then hash it.
 *
 * Throws UserError for an unknown option, or one of another type. The function throws TypeError if JSON cannot hold
 * the record: if it contains itself, or a bigint.
 */
export function redactSecrets(options: RedactOptions = {}): Redact {
  const nextRedactor = createRedactor(options);
  // The copy has the type of the original: only strings, and numbers where the schema allows any value, are
  // replaced.
  return <T extends object>(record: T) => finish(redactRecord(record, nextRedactor())) as T;
}

/** Like `redactSecrets`, but in steps of about ten thousand characters. */
export function redactSecretsInTurns(options: RedactOptions = {}): RedactInTurns {
  const nextRedactor = createRedactor(options);
  return function* (record) {
    return yield* redactRecord(record, nextRedactor());
  };
}

/** Redacts a record as JSON. What JSON cannot hold, such as a Map, is seen as JSON.stringify writes it. */
function* redactRecord(record: object, redactor: Redactor): Walk<object> {
  const redacted: unknown = JSON.parse(yield* redactJson(toText(record), redactor));
  if (typeof redacted === "object" && redacted !== null) return redacted;
  throw new TypeError("redactSecrets: JSON writes the record as a value that is not an object");
}

function toText(record: object): string {
  let reason: string;
  try {
    const text: string | undefined = JSON.stringify(record);
    if (text !== undefined) return text;
    reason = "it is written as nothing";
  } catch (error) {
    const tooDeep = error instanceof RangeError && !/string length/.test(error.message);
    const message = error instanceof Error ? error.message : String(error);
    reason = tooDeep
      ? "it is nested too deeply"
      : message.replaceAll(/\s*\n\s*(?:-->|---|\|)?\s*/g, " ");
  }
  throw new TypeError(`redactSecrets: JSON cannot hold the record: ${reason}`);
}
