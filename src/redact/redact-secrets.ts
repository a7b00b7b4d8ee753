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
 * A function that takes the secrets out of a record before it is stored: keys and tokens of providers,
 * authorization headers, passwords of URLs, private keys, wallet keys, seed phrases, e-mail addresses, card numbers,
 * values of fields whose name says so, and given values. In values, in keys and in JSON inside of strings.
 *
 * One secret has one placeholder, `[redacted:<kind>:<hash>]`, in all that one such function is given. Redacting
 * twice changes nothing. Hashes over the task are not made anew: redact the task first, and hash it then.
 */
export function redactSecrets(options: RedactOptions = {}): Redact {
  const nextRedactor = createRedactor(options);
  // The copy has the shape of what it was made of; only texts, and numbers in open places, are others.
  return <T extends object>(record: T) => finish(redactValue(record, nextRedactor())) as T;
}

/** The same as work to be done in turns, each of some ten thousand characters. */
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
  /** Name of the field below which a list stands. */
  readonly field: string | undefined;
}

/** Does not recurse: what agents write is nested as deeply as they like. */
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
        place.kind === "measures" ? source : withoutListSecrets(source, redactor);
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

/** A value that needed no walk. */
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
    // Plain assignment to `__proto__` would set the prototype.
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

/** What is spread over elements becomes one element. */
function withoutListSecrets(list: readonly unknown[], redactor: Redactor): readonly unknown[] {
  const result = [...list];
  for (const { start, end, kind, text } of findListSecrets(list).toReversed()) {
    result.splice(start, end - start, redactor.placeholderOf(kind, text));
  }
  return result;
}
