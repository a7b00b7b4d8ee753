import { type KnownOptions, requireKnownOptions } from "../../../base/options.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { isCardNumber } from "./detectors/card-number.js";
import { detectors } from "./detectors/index.js";
import { classifyFieldName, isSecretValue, type Naming } from "./field-names.js";
import { createKnownValues, type KnownValues } from "./known-values.js";
import {
  createMeter,
  createPlaceholders,
  finish,
  PLACEHOLDER,
  type PlaceholderOf,
  type RedactOptions,
  type Walk,
} from "./redact.js";
import { isJson, type Redactor, redactJson } from "./redact-json.js";
import { groupDetectors, isRedacted, redactText, type TextDetector } from "./redact-text.js";

/** Returns the redactor for the next record: the same one as long as the known values do not change. */
export function createRedactor(options: RedactOptions): () => Redactor {
  requireOptions(options);
  const { values, key } = options;
  const placeholderOf = createPlaceholders(key);
  const readKnown = createKnownValues(values);
  let latest: { known: KnownValues; redactor: Redactor } | undefined;
  return () => {
    const known = readKnown();
    if (latest?.known !== known) latest = { known, redactor: createFrom(placeholderOf, known) };
    return latest.redactor;
  };
}

const OPTIONS: KnownOptions<RedactOptions> = { values: true, key: true };

/** A misspelt option would silently redact less. */
function requireOptions(options: RedactOptions): void {
  requireKnownOptions("redactSecrets:", options, OPTIONS);
  const { values, key } = options;
  const isList = typeof values === "object" && Symbol.iterator in values;
  if (values !== undefined && typeof values !== "function" && !isList) {
    throw new UserError(
      "redactSecrets: values must be a list of strings, or a function that returns one",
      EXIT.usage,
    );
  }
  if (key !== undefined && typeof key !== "string" && !(key instanceof Uint8Array)) {
    throw new UserError("redactSecrets: key must be a string or a Uint8Array", EXIT.usage);
  }
}

/** Field names repeat in every record. With more names than this, keys are probably used for data. */
const MAX_NAMES = 10_000;
/** Maximum length of a cached name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 64;

interface Name {
  readonly redacted: string;
  readonly naming: Naming | undefined;
}

const certain = detectors.filter((detector) => detector.certain);
/** Shorter than any key, and neither an address, a number nor an assignment: no detector matches. */
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
    // Uses the redacted name, which is all that a second redaction would see.
    const naming = classifyFieldName(redacted.replaceAll(PLACEHOLDERS, ""));
    if (names.size >= MAX_NAMES) names.clear();
    if (name.length <= MAX_NAME_LENGTH) names.set(name, { redacted, naming });
    return { redacted, naming };
  };
  const redactor: Redactor = {
    placeholderOf,
    meter,
    *redactString(text) {
      if (mayBeJson(text) && isJson(text)) return yield* redactJson(text, redactor);
      const redacted = yield* redactPlain(text);
      // A secret with unescaped line ends may have been all that kept the text from being JSON.
      const isNewJson = redacted !== text && mayBeJson(redacted) && isJson(redacted);
      return isNewJson ? yield* redactJson(redacted, redactor) : redacted;
    },
    *redactField(naming, text) {
      if (naming === undefined || !isSecretValue(text, naming)) {
        return yield* redactor.redactString(text);
      }
      // A secret that is recognisable by its form gets the same kind as everywhere else.
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
    namingOf: (name) => readName(name).naming,
  };
  return redactor;
}

/** Tells whether a text may be JSON that contains more than a number or a word. */
export function mayBeJson(text: string): boolean {
  return /^\s{0,64}[[{"]/.test(text) && /[\]}"]\s{0,64}$/.test(text.slice(-65));
}
