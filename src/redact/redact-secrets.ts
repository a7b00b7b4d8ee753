import { isJsonObject } from "../json/value.js";
import { findListSecrets, findPairName } from "./field-names.js";
import { isFixed, isRecordLike, type Place, placeWithin, RECORD } from "./record-fields.js";
import {
  finish,
  type Redact,
  type RedactInTurns,
  type RedactOptions,
  type Walk,
} from "./redact.js";
import { createRedactor, type Redactor, renameKeys } from "./redactor.js";

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
  return <T extends object>(record: T) => finish(redactValue(record, nextRedactor())) as T;
}

/** Like `redactSecrets`, but in steps of about ten thousand characters. */
export function redactSecretsInTurns(options: RedactOptions = {}): RedactInTurns {
  const nextRedactor = createRedactor(options);
  return function* (record) {
    return yield* redactValue(record, nextRedactor());
  };
}

interface Frame {
  readonly source: object;
  readonly target: unknown[] | Record<string, unknown>;
  readonly place: Place;
  /** Name of the field that contains the list. */
  readonly field: string | undefined;
}

/** Does not recurse: agents may write deeply nested values. */
function* redactValue(root: object, redactor: Redactor): Walk<object> {
  const open: Frame[] = [];
  const copy = (source: object, place: Place, field: string | undefined): object => {
    const target = Array.isArray(source) ? [] : {};
    const inner = place.kind === "open" && isRecordLike(source) ? RECORD : place;
    open.push({ source, target, place: inner, field });
    return target;
  };
  const redact = (value: unknown, place: Place, field: string | undefined): Walk<unknown> | Done =>
    typeof value === "object" && value !== null
      ? { value: copy(value, place, field) }
      : redactScalar(value, place, field, redactor);
  const result = copy(
    root,
    Array.isArray(root) ? { kind: "list", element: RECORD } : RECORD,
    undefined,
  );
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    const { source, target, place, field } = frame;
    if (Array.isArray(source) && Array.isArray(target)) {
      const elements: readonly unknown[] =
        place.kind === "measures" ? source : redactListSecrets(source, redactor);
      for (const [index, element] of elements.entries()) {
        if (redactor.meter.spend(0)) yield;
        const redacted = redact(element, placeWithin(place, index), field);
        target.push("value" in redacted ? redacted.value : yield* redacted);
      }
    } else if (isJsonObject(source) && !Array.isArray(target)) {
      yield* copyFields(source, target, place, redactor, redact);
    }
  }
  return result;
}

/** A value that needs no walk. */
interface Done {
  readonly value: unknown;
}

function* copyFields(
  source: Readonly<Record<string, unknown>>,
  target: Record<string, unknown>,
  place: Place,
  redactor: Redactor,
  redact: (value: unknown, place: Place, field: string | undefined) => Walk<unknown> | Done,
): Walk<void> {
  const own = place.kind === "object" ? place.fields : {};
  const isOwn = (key: string): boolean => Object.hasOwn(own, key);
  const names = renameKeys(Object.keys(source), (key) =>
    isOwn(key) ? key : redactor.redactKey(key),
  );
  const pairName = findPairName((field) => source[field], redactor.maySecret);
  for (const [key, value] of Object.entries(source)) {
    if (redactor.meter.spend(key.length)) yield;
    const field = key === "value" ? (pairName ?? key) : key;
    const canInherit = typeof value !== "object" || Array.isArray(value);
    const redacted = redact(
      value,
      placeWithin(place, key),
      isOwn(key) || !canInherit ? undefined : field,
    );
    // A plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(target, names.get(key) ?? key, {
      value: "value" in redacted ? redacted.value : yield* redacted,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

function redactScalar(
  value: unknown,
  place: Place,
  field: string | undefined,
  redactor: Redactor,
): Walk<string> | Done {
  if (isFixed(value, place)) return { value };
  if (typeof value === "number" && place.kind !== "measures") {
    return { value: redactor.redactDigits(String(value)) ?? value };
  }
  if (typeof value !== "string") return { value };
  return place.kind === "identifier"
    ? redactor.redactIdentifier(value)
    : redactor.redactField(field, value);
}

/** Replaces a secret that is spread over several elements by one element. */
function redactListSecrets(list: readonly unknown[], redactor: Redactor): readonly unknown[] {
  const result = [...list];
  for (const { start, end, kind, text } of findListSecrets(list).toReversed()) {
    result.splice(start, end - start, redactor.placeholderOf(kind, text));
  }
  return result;
}
