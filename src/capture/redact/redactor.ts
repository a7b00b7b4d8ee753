import { isCardNumber } from "./detectors/card-number.js";
import type { Detector } from "./detectors/detector.js";
import { detectors } from "./detectors/index.js";
import { isSecretName } from "./is-secret-name.js";
import { createKnownValues } from "./known-values.js";
import { createPlaceholders, PLACEHOLDER, type PlaceholderOf } from "./placeholders.js";
import { mayBeJson, redactJsonText } from "./redact-json-text.js";
import type { RedactOptions } from "./redact-options.js";
import { isRedacted, redactText } from "./redact-text.js";

/** Redacts the parts of which JSON consists. Each part that is redacted twice is as it was after the first time. */
export interface Redactor {
  readonly placeholderOf: PlaceholderOf;
  /** A text of any kind; JSON is redacted value by value. */
  redactString(text: string): string;
  /** The value of a field whose name says that it is a secret. */
  redactSecret(text: string): string;
  /** An identifier of our own format: only what is certainly a secret. */
  redactIdentifier(text: string): string;
  /** A key of an object. */
  redactKey(key: string): string;
  /** The digits of a number that is a secret, redacted; undefined when it is none. */
  redactDigits(digits: string): string | undefined;
  /** Whether the value of a field is a secret by the field's name. */
  isSecretField(name: string): boolean;
}

/** Gives the redactor for the next record. */
export function createRedactor({ values, key }: RedactOptions): () => Redactor {
  const placeholderOf = createPlaceholders(key);
  const readKnown = createKnownValues(values);
  return () => {
    const known: Pick<Detector, "id" | "find"> = { id: "value", find: readKnown().find };
    return createFrom(placeholderOf, known);
  };
}

const certain = detectors.filter((detector) => detector.certain);
const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");

function createFrom(placeholderOf: PlaceholderOf, known: Pick<Detector, "id" | "find">): Redactor {
  const all = [known, ...detectors];
  const sure = [known, ...certain];
  const redactPlain = (text: string): string => redactText(text, all, placeholderOf);
  const redactor: Redactor = {
    placeholderOf,
    redactString(text) {
      const json = mayBeJson(text) ? redactJsonText(text, redactor) : undefined;
      if (json !== undefined) return json;
      const redacted = redactPlain(text);
      // A secret with bare line ends may be all that kept a text from being JSON.
      const isNewJson = redacted !== text && mayBeJson(redacted);
      return (isNewJson ? redactJsonText(redacted, redactor) : undefined) ?? redacted;
    },
    redactSecret(text) {
      if (text.trim() === "") return text;
      // What is known by its form is called as everywhere else.
      const redacted = redactPlain(text);
      return isRedacted(redacted) ? redacted : placeholderOf("secret", text);
    },
    redactIdentifier: (text) => redactText(text, sure, placeholderOf),
    redactKey: redactPlain,
    redactDigits(digits) {
      const [span] = known.find(digits);
      if (span !== undefined && span.end - span.start === digits.length) {
        return placeholderOf(known.id, digits);
      }
      return isCardNumber(digits) ? placeholderOf("card-number", digits) : undefined;
    },
    // As it will be named: whoever redacts again sees no more than that.
    isSecretField: (name) => isSecretName(redactPlain(name).replaceAll(PLACEHOLDERS, "")),
  };
  return redactor;
}
