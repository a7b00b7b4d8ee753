import { addTo } from "../../../base/group-by.js";
import {
  type JsonContainer,
  type JsonToken,
  scanJson,
  unquote,
} from "../../../base/json/tokens.js";
import { tryParseJson } from "../../../base/json/value.js";
import { commandLine } from "./detectors/command-line.js";
import {
  findListSecrets,
  findPairName,
  isInnerName,
  isInnerSecret,
  isPairField,
  type Naming,
} from "./field-names.js";
import { findHints, type Hint } from "./list-hints.js";
import { isFixed, type Place, placeWithin, RECORD, RECORD_LIST } from "./record-fields.js";
import type { Meter, PlaceholderOf, Walk } from "./redact.js";

/** Redacts the parts of JSON values. Each method is idempotent. */
export interface Redactor {
  readonly placeholderOf: PlaceholderOf;
  readonly meter: Meter;
  /** Redacts any text; JSON is redacted value by value. */
  redactString(text: string): Walk<string>;
  /** Redacts the value of a field. If the name denotes a secret and the value is one, the whole value is redacted. */
  redactField(naming: Naming | undefined, text: string): Walk<string>;
  /** Redacts an identifier of our own format: only certain secrets. */
  redactIdentifier(text: string): Walk<string>;
  /** Redacts an object key. */
  redactKey(key: string): string;
  /** Redacts the digits of a number that is a secret; undefined if it is not one. */
  redactDigits(digits: string): string | undefined;
  /** What a field name says about its value. */
  namingOf(name: string): Naming | undefined;
}

/** A replacement in a JSON text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  /** The JSON that replaces it. */
  readonly json: string;
}

export function isJson(text: string): boolean {
  return tryParseJson(text) !== undefined;
}

/**
 * Redacts a valid JSON text without changing any other byte: numbers keep their digits, lines their indentation. In
 * records, fields that the schema declares keep their names, and identifiers and constants their values.
 */
export function* redactJson(text: string, redactor: Redactor): Walk<string> {
  let [result, end] = ["", 0];
  for (const edit of yield* findEdits(text, redactor)) {
    result += text.slice(end, edit.start) + edit.json;
    end = edit.end;
  }
  return result + text.slice(end);
}

/** The replacements that redact a valid JSON text, in order. */
export function* findEdits(text: string, redactor: Redactor): Walk<Edit[]> {
  const walk = new TextWalk(text, redactor);
  const containers = yield* walk.readContainers();
  for (const [container, tokens] of containers) {
    if (container.isArray) for (const run of walk.splitRuns(tokens)) yield* walk.editList(run);
    else yield* walk.editObject(container, tokens);
  }
  return walk.edits.sort((a, b) => a.start - b.start);
}

/** What the containers around a value say about it. */
interface Context {
  readonly place: Place;
  /** Whether a field around it has a secret's name: `{"secrets": {"db": ...}}`. */
  readonly isInSecret: boolean;
}

const OUTERMOST: Context = { place: RECORD_LIST, isInSecret: false };

/** Maximum space between a list's bracket and its element, in characters. */
const MAX_GAP = 64;

/** Finds the replacements in one text. Does not recurse: agents may write deeply nested values. */
class TextWalk {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #redactor: Redactor;
  readonly #contexts = new Map<JsonContainer, Context>();
  /** The objects that are records by their fields. */
  readonly #records = new Set<JsonContainer>();

  constructor(text: string, redactor: Redactor) {
    this.#text = text;
    this.#redactor = redactor;
  }

  /** The keys, strings and numbers of the text, by the object or list that contains them. */
  *readContainers(): Walk<Map<JsonContainer, JsonToken[]>> {
    const containers = new Map<JsonContainer, JsonToken[]>();
    for (const token of scanJson(this.#text)) {
      const { owner, kind } = token;
      addTo(containers, owner, token);
      if (kind === "key" && this.#marksRecord(token)) this.#records.add(owner);
      if (this.#redactor.meter.spend(token.end - token.start)) yield;
    }
    return containers;
  }

  *editObject(container: JsonContainer, tokens: readonly JsonToken[]): Walk<void> {
    const keys = tokens.filter(({ kind }) => kind === "key").map((key) => this.#read(key));
    const names = renameKeys(keys, (key) =>
      this.#isOwn(container, key) ? key : this.#redactor.redactKey(key),
    );
    const values = new Map(
      tokens
        .filter(({ kind, field }) => kind === "string" && isPairField(field))
        .map((token) => [token.field, this.#read(token)]),
    );
    const pairName = findPairName(
      (field) => values.get(field),
      (name) => this.#redactor.namingOf(name) !== undefined,
    );
    for (const token of tokens) {
      if (token.kind === "key") {
        const key = names.size === 0 ? undefined : names.get(this.#read(token));
        if (key !== undefined) this.#replace(token, key);
      } else
        yield* this.#editValue(token, {
          name: token.field === "value" ? pairName : undefined,
        });
    }
  }

  /** Splits the tokens of a list at elements other than strings and numbers, which have no tokens. */
  splitRuns(tokens: readonly JsonToken[]): JsonToken[][] {
    const runs: JsonToken[][] = [];
    for (const token of tokens) {
      const last = runs.at(-1);
      const before = last?.at(-1)?.end;
      const isNext =
        before !== undefined && /^\s*,\s*$/.test(this.#text.slice(before, token.start));
      if (isNext) last?.push(token);
      else runs.push([token]);
    }
    return runs;
  }

  *editList(tokens: readonly JsonToken[]): Walk<void> {
    const inSecret = new Set<JsonToken>();
    const [first] = tokens;
    const isMeasured = first !== undefined && this.#placeOf(first.owner).kind === "measures";
    const elements = isMeasured ? [] : tokens.map((token) => this.#readElement(token));
    for (const { start, end, kind, text } of findListSecrets(elements)) {
      const covered = tokens.slice(start, end);
      for (const token of covered) inSecret.add(token);
      const [from, to] = [covered[0], covered.at(-1)];
      if (from === undefined || to === undefined) continue;
      const json = JSON.stringify(this.#redactor.placeholderOf(kind, text));
      this.edits.push({ start: from.start, end: to.end, json });
    }
    const hints = this.#readHints(tokens);
    for (const [index, token] of tokens.entries()) {
      if (!inSecret.has(token)) yield* this.#editValue(token, hints.get(index));
    }
  }

  /** What the elements of a list say about each other. */
  #readHints(tokens: readonly JsonToken[]): ReadonlyMap<number, Hint> {
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (first === undefined || last === undefined || first === last) return new Map();
    const texts = tokens.map((token) => (token.kind === "string" ? this.#read(token) : ""));
    const isPair = tokens.length === 2 && this.#isWhole(first, last);
    return findHints(texts, isPair && this.#redactor.namingOf(texts[0] ?? "") !== undefined);
  }

  /** Whether the elements from `first` to `last` are all elements of their list. */
  #isWhole(first: JsonToken, last: JsonToken): boolean {
    const before = this.#text.slice(Math.max(0, first.start - MAX_GAP), first.start);
    return /\[\s*$/.test(before) && /^\s*\]/.test(this.#text.slice(last.end, last.end + MAX_GAP));
  }

  *#editValue(token: JsonToken, { name, span }: Hint = {}): Walk<void> {
    const { kind, owner, field, start, end } = token;
    if (this.#redactor.meter.spend(end - start)) yield;
    const place = placeWithin(this.#placeOf(owner), field ?? "");
    if (kind === "number") {
      const digits = this.#text.slice(start, end);
      if (place.kind === "measures" || isFixed(Number(digits), place)) return;
      // A card number may be written as 4111111111111111.0.
      const plain = String(Number(digits));
      const redacted = this.#redactor.redactDigits(digits) ?? this.#redactor.redactDigits(plain);
      if (redacted !== undefined) this.#replace(token, redacted);
      return;
    }
    const value = this.#read(token);
    if (isFixed(value, place)) return;
    const redacted =
      place.kind === "identifier"
        ? yield* this.#redactor.redactIdentifier(value)
        : yield* this.#redactField(token, value, name);
    if (redacted === value && span !== undefined) {
      const secret = value.slice(span.start, span.end);
      const placeholder = this.#redactor.placeholderOf(commandLine.id, secret);
      this.#replace(token, value.slice(0, span.start) + placeholder + value.slice(span.end));
    }
    if (redacted !== value) this.#replace(token, redacted);
  }

  *#redactField(token: JsonToken, value: string, name = this.#findName(token)): Walk<string> {
    const naming = name === undefined ? undefined : this.#redactor.namingOf(name);
    const isInner =
      this.#contextOf(token.owner).isInSecret && isInnerName(token.field) && isInnerSecret(value);
    return yield* this.#redactor.redactField(naming ?? (isInner ? "mixed" : undefined), value);
  }

  /** The name of the field that contains the value, directly or in lists, unless the schema declares the field. */
  #findName({ owner, field }: JsonToken): string | undefined {
    let around: JsonContainer | undefined = owner;
    while (around?.isArray === true) around = around.parent;
    return around === undefined || field === undefined || this.#isOwn(around, field)
      ? undefined
      : field;
  }

  /** Whether the schema declares the field. */
  #isOwn(container: JsonContainer, key: string): boolean {
    const place = this.#placeOf(container);
    return place.kind === "object" && Object.hasOwn(place.fields, key);
  }

  #placeOf(container: JsonContainer): Place {
    return this.#contextOf(container).place;
  }

  #contextOf(container: JsonContainer): Context {
    const known = this.#contexts.get(container);
    if (known !== undefined) return known;
    // Outermost first, because nesting may exceed the stack.
    const unknown: JsonContainer[] = [];
    let at: JsonContainer | undefined = container;
    for (; at !== undefined && !this.#contexts.has(at); at = at.parent) unknown.push(at);
    for (const each of unknown.toReversed()) this.#contexts.set(each, this.#findContext(each));
    return this.#contexts.get(container) ?? OUTERMOST;
  }

  /** The contexts of all containers around it must be known. */
  #findContext(container: JsonContainer): Context {
    const { parent, name, isArray } = container;
    if (parent === undefined) return OUTERMOST;
    if (parent.parent === undefined) return isArray ? OUTERMOST : { ...OUTERMOST, place: RECORD };
    const around = this.#contextOf(parent);
    const place = placeWithin(around.place, name);
    const isRecord = place.kind === "open" && this.#records.has(container);
    const isInSecret =
      around.isInSecret || (!parent.isArray && this.#namesSecret(parent, String(name)));
    return { place: isRecord ? RECORD : place, isInSecret };
  }

  #namesSecret(container: JsonContainer, key: string): boolean {
    if (this.#isOwn(container, key)) return false;
    const naming: Naming | undefined = this.#redactor.namingOf(key);
    return naming === "secret" || naming === "phrase";
  }

  /** Whether this key makes an object a record, such as a branch in a rollout's list: its value is a list of events. */
  #marksRecord(key: JsonToken): boolean {
    if (key.field !== "tool_call_sequence") return false;
    return /^\s*:\s*\[/.test(this.#text.slice(key.end, key.end + 16));
  }

  #replace({ start, end }: JsonToken, value: string): void {
    this.edits.push({ start, end, json: JSON.stringify(value) });
  }

  #read({ start, end }: JsonToken): string {
    return unquote(this.#text.slice(start, end));
  }

  #readElement(token: JsonToken): unknown {
    const { kind, start, end } = token;
    return kind === "number" ? Number(this.#text.slice(start, end)) : this.#read(token);
  }
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
