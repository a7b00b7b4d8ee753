import { type JsonToken, scanJson, unquote } from "../json/tokens.js";
import { isCardNumber } from "./detectors/card-number.js";
import { detectors } from "./detectors/index.js";
import {
  classifyFieldName,
  findListSecrets,
  findPairName,
  isPairField,
  isSecretValue,
  type Naming,
} from "./field-names.js";
import { createKnownValues, type KnownValues } from "./known-values.js";
import {
  createMeter,
  createPlaceholders,
  finish,
  type Meter,
  PLACEHOLDER,
  type PlaceholderOf,
  type RedactOptions,
  type Walk,
} from "./redact.js";
import { groupDetectors, isRedacted, redactText, type TextDetector } from "./redact-text.js";

/** Redacts the parts of JSON values. Each method is idempotent. */
export interface Redactor {
  readonly placeholderOf: PlaceholderOf;
  readonly meter: Meter;
  /** Redacts any text; JSON is redacted value by value. */
  redactString(text: string): Walk<string>;
  /** Redacts the value of a field. If the name denotes a secret and the value is one, the whole value is redacted. */
  redactField(name: string | undefined, text: string): Walk<string>;
  /** Redacts an identifier of our own format: only certain secrets. */
  redactIdentifier(text: string): Walk<string>;
  /** Redacts an object key. */
  redactKey(key: string): string;
  /** Redacts the digits of a number that is a secret; undefined if it is not one. */
  redactDigits(digits: string): string | undefined;
  /** Tells whether a field name can denote a secret. */
  maySecret(name: string): boolean;
}

/** Returns the redactor for the next record: the same one as long as the known values do not change. */
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
      const json = mayBeJson(text) ? yield* redactJsonText(text, redactor) : undefined;
      if (json !== undefined) return json;
      const redacted = yield* redactPlain(text);
      // A secret with unescaped line ends may have been all that kept the text from being JSON.
      const isNewJson = redacted !== text && mayBeJson(redacted);
      return (isNewJson ? yield* redactJsonText(redacted, redactor) : undefined) ?? redacted;
    },
    *redactField(name, text) {
      const naming = name === undefined ? undefined : readName(name).naming;
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
    maySecret: (name) => readName(name).naming !== undefined,
  };
  return redactor;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** The JSON that replaces it. */
  readonly json: string;
}

/** Tells whether a text may be JSON that contains more than a number or a word. */
export function mayBeJson(text: string): boolean {
  return /^\s{0,64}[[{"]/.test(text) && /[\]}"]\s{0,64}$/.test(text.slice(-65));
}

/**
 * Redacts a JSON text without changing any other byte: numbers keep their digits, lines their indentation.
 * Undefined if the text is not JSON.
 */
export function* redactJsonText(text: string, redactor: Redactor): Walk<string | undefined> {
  if (!isJson(text)) return undefined;
  const owners = yield* readOwners(text, redactor);
  const edits: Edit[] = [];
  for (const owned of owners.values()) {
    if (owned.some(({ kind }) => kind === "key")) yield* editObject(text, owned, redactor, edits);
    else for (const list of splitLists(text, owned)) yield* editList(text, list, redactor, edits);
  }
  let [result, end] = ["", 0];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(end, edit.start) + edit.json;
    end = edit.end;
  }
  return result + text.slice(end);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The keys, strings and numbers of a text, grouped by the object or list that contains them. */
function* readOwners(text: string, { meter }: Redactor): Walk<Map<object, JsonToken[]>> {
  const owners = new Map<object, JsonToken[]>();
  for (const token of scanJson(text)) {
    const owned = owners.get(token.owner);
    if (owned === undefined) owners.set(token.owner, [token]);
    else owned.push(token);
    if (meter.spend(token.end - token.start)) yield;
  }
  return owners;
}

function* editObject(
  text: string,
  tokens: readonly JsonToken[],
  redactor: Redactor,
  edits: Edit[],
): Walk<void> {
  const keys = tokens.filter(({ kind }) => kind === "key").map((key) => readText(text, key));
  const names = renameKeys(keys, redactor.redactKey);
  const values = new Map(
    tokens
      .filter(({ kind, field }) => kind === "string" && isPairField(field))
      .map((token) => [token.field, readText(text, token)]),
  );
  const pairName = findPairName((field) => values.get(field), redactor.maySecret);
  for (const token of tokens) {
    if (token.kind === "key") {
      const key = names.size === 0 ? undefined : names.get(readText(text, token));
      if (key !== undefined) edits.push(toEdit(token, key));
    } else
      yield* editValue(
        text,
        token,
        redactor,
        edits,
        token.field === "value" ? pairName : undefined,
      );
  }
}

/** Splits the tokens of a list at elements other than strings and numbers, which have no tokens. */
function splitLists(text: string, tokens: readonly JsonToken[]): JsonToken[][] {
  const lists: JsonToken[][] = [];
  for (const token of tokens) {
    const last = lists.at(-1);
    const before = last?.at(-1)?.end;
    const isNext = before !== undefined && /^\s*,\s*$/.test(text.slice(before, token.start));
    if (isNext) last?.push(token);
    else lists.push([token]);
  }
  return lists;
}

function* editList(
  text: string,
  tokens: readonly JsonToken[],
  redactor: Redactor,
  edits: Edit[],
): Walk<void> {
  const elements = tokens.map((token) => readElement(text, token));
  const inSecret = new Set<JsonToken>();
  for (const { start, end, kind, text: secret } of findListSecrets(elements)) {
    const covered = tokens.slice(start, end);
    for (const token of covered) inSecret.add(token);
    const [first, last] = [covered[0], covered.at(-1)];
    if (first === undefined || last === undefined) continue;
    const json = JSON.stringify(redactor.placeholderOf(kind, secret));
    edits.push({ start: first.start, end: last.end, json });
  }
  for (const token of tokens) {
    if (!inSecret.has(token)) yield* editValue(text, token, redactor, edits);
  }
}

function* editValue(
  text: string,
  token: JsonToken,
  redactor: Redactor,
  edits: Edit[],
  pairName?: string,
): Walk<void> {
  const { kind, field, start, end } = token;
  if (redactor.meter.spend(end - start)) yield;
  if (kind === "string") {
    const value = readText(text, token);
    const redacted = yield* redactor.redactField(pairName ?? field, value);
    if (redacted !== value) edits.push(toEdit(token, redacted));
    return;
  }
  const redacted = redactor.redactDigits(text.slice(start, end));
  if (redacted !== undefined) edits.push(toEdit(token, redacted));
}

function toEdit({ start, end }: JsonToken, value: string): Edit {
  return { start, end, json: JSON.stringify(value) };
}

function readText(text: string, { start, end }: JsonToken): string {
  return unquote(text.slice(start, end));
}

function readElement(text: string, token: JsonToken): unknown {
  return token.kind === "number"
    ? Number(text.slice(token.start, token.end))
    : readText(text, token);
}

/**
 * Maps the keys of an object that have to be renamed to their new names. If two would get the same name, a
 * number is appended, so that neither overwrites the other's value.
 */
export function renameKeys(
  keys: readonly string[],
  rename: (key: string) => string,
): ReadonlyMap<string, string> {
  const changed = keys.map((key) => [key, rename(key)] as const).filter(([key, to]) => key !== to);
  const renamed = new Map<string, string>();
  if (changed.length === 0) return renamed;
  const leaving = new Set(changed.map(([key]) => key));
  const taken = new Set(keys.filter((key) => !leaving.has(key)));
  for (const [key, to] of changed) {
    if (renamed.has(key)) continue;
    let name = to;
    for (let count = 2; taken.has(name); count += 1) name = `${to} (${count})`;
    taken.add(name);
    renamed.set(key, name);
  }
  return renamed;
}
