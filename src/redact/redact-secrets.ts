import {
  finish,
  type Redact,
  type RedactInTurns,
  type RedactOptions,
  type Walk,
} from "./redact.js";
import { redactJson } from "./redact-json.js";
import { createRedactor, type Redactor } from "./redactor.js";

/**
 * Creates a function that removes secrets from a record before it is stored: provider keys and tokens,
 * authorization headers, URL passwords, private keys, wallet keys, seed phrases, e-mail addresses, card
 * numbers, values of fields with secret names, and given values. It searches values, keys and JSON inside
 * strings.
 *
 * Each secret is replaced by a placeholder, `[redacted:<kind>:<hash>]`. The same function uses the same
 * placeholder for the same secret. Redaction is idempotent. Hashes of the task are not recomputed: redact the
 * task first, then hash it.
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

/** A record as JSON, redacted, as a record. */
function* redactRecord(record: object, redactor: Redactor): Walk<object> {
  const redacted: unknown = JSON.parse(yield* redactJson(JSON.stringify(record), redactor));
  if (typeof redacted !== "object" || redacted === null) throw new TypeError("not a record");
  return redacted;
}
