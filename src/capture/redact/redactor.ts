import { isCardNumber } from "./detectors/card-number.js";
import { detectors } from "./detectors/index.js";
import { groupDetectors, type TextDetector } from "./find-in-window.js";
import { isSecretValue } from "./is-secret-value.js";
import { createKnownValues, type KnownValues } from "./known-values.js";
import { type Naming, namingOf } from "./naming-of.js";
import { createPlaceholders, PLACEHOLDER, type PlaceholderOf } from "./placeholders.js";
import { mayBeJson, redactJsonText } from "./redact-json-text.js";
import type { RedactOptions } from "./redact-options.js";
import { isRedacted, redactText } from "./redact-text.js";
import { createMeter, finish, type Meter, type Walk } from "./walk.js";

/** Redacts the parts of which JSON consists. Each part that is redacted twice is as it was after the first time. */
export interface Redactor {
  readonly placeholderOf: PlaceholderOf;
  readonly meter: Meter;
  /** A text of any kind; JSON is redacted value by value. */
  redactString(text: string): Walk<string>;
  /** The value of a field; of a secret whole, if the name says so and the value is one. */
  redactField(name: string | undefined, text: string): Walk<string>;
  /** An identifier of our own format: only what is certainly a secret. */
  redactIdentifier(text: string): Walk<string>;
  /** A key of an object. */
  redactKey(key: string): string;
  /** The digits of a number that is a secret, redacted; undefined when it is none. */
  redactDigits(digits: string): string | undefined;
  /** Whether the value of a field may be a secret by the field's name. */
  maySecret(name: string): boolean;
}

/** Gives the redactor for the next record: the same one as long as the known values are. */
export function createRedactor({ values, key }: RedactOptions): () => Redactor {
  const placeholderOf = createPlaceholders(key);
  const readKnown = createKnownValues(values);
  let latest: { known: KnownValues; redactor: Redactor } | undefined;
  return () => {
    const known = readKnown();
    if (latest?.known !== known) latest = { known, redactor: createFrom(placeholderOf, known) };
    return latest.redactor;
  };
}

/** Names of fields come again in every record; in this many it is likely that texts are used as names. */
const MAX_NAMES = 10_000;
/** Longest name that is remembered, in UTF-16 code units. */
const MAX_NAME_LENGTH = 64;

interface Name {
  readonly redacted: string;
  readonly naming: Naming | undefined;
}

const certain = detectors.filter((detector) => detector.certain);
/** Shorter than any key, and neither an address, nor a number, nor an assignment: no detector finds anything. */
const PLAIN = /^[A-Za-z_ .-]{0,15}$/;
const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");

function createFrom(placeholderOf: PlaceholderOf, knownValues: KnownValues): Redactor {
  const known: TextDetector = { id: "value", ...knownValues };
  const meter = createMeter();
  const plain = { groups: groupDetectors([known]), placeholderOf, meter };
  const all = { ...plain, groups: groupDetectors([known, ...detectors]) };
  const sure = { ...plain, groups: groupDetectors([known, ...certain]) };
  const redactPlain = (text: string): Walk<string> =>
    redactText(text, PLAIN.test(text) ? plain : all);
  const names = new Map<string, Name>();
  const readName = (name: string): Name => {
    const read = names.get(name);
    if (read !== undefined) return read;
    const redacted = finish(redactPlain(name));
    // By the name that it will have: whoever redacts again sees no more than that.
    const naming = namingOf(redacted.replaceAll(PLACEHOLDERS, ""));
    if (names.size >= MAX_NAMES) names.clear();
    if (name.length <= MAX_NAME_LENGTH) names.set(name, { redacted, naming });
    return { redacted, naming };
  };
  const redactor: Redactor = {
    placeholderOf,
    meter,
    *redactString(text) {
      const json = mayBeJson(text) ? yield* redactJsonText(text, redactor) : undefined;
      if (json !== undefined) return json;
      const redacted = yield* redactPlain(text);
      // A secret with bare line ends may be all that kept a text from being JSON.
      const isNewJson = redacted !== text && mayBeJson(redacted);
      return (isNewJson ? yield* redactJsonText(redacted, redactor) : undefined) ?? redacted;
    },
    *redactField(name, text) {
      const naming = name === undefined ? undefined : readName(name).naming;
      if (naming === undefined || !isSecretValue(text, naming)) {
        return yield* redactor.redactString(text);
      }
      // What is known by its form is called as everywhere else.
      const redacted = yield* redactPlain(text);
      return isRedacted(redacted) ? redacted : placeholderOf("secret", text);
    },
    redactIdentifier: (text) => redactText(text, sure),
    redactKey: (key) => readName(key).redacted,
    redactDigits(digits) {
      const [span] = known.find(digits);
      if (span !== undefined && span.end - span.start === digits.length) {
        return placeholderOf(known.id, digits);
      }
      return isCardNumber(digits) ? placeholderOf("card-number", digits) : undefined;
    },
    maySecret: (name) => readName(name).naming !== undefined,
  };
  return redactor;
}
