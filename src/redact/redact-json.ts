import { type JsonContainer, type JsonToken, scanJson, unquote } from "../json/tokens.js";
import { findListSecrets, findPairName, isPairField } from "./field-names.js";
import { isFixed, type Place, placeWithin, RECORD, RECORD_LIST } from "./record-fields.js";
import type { Walk } from "./redact.js";
import type { Redactor } from "./redactor.js";

/** A replacement in a JSON text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  /** The JSON that replaces it. */
  readonly json: string;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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

/** Finds the replacements in one text. Does not recurse: agents may write deeply nested values. */
class TextWalk {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #redactor: Redactor;
  readonly #places = new Map<JsonContainer, Place>();
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
      const tokens = containers.get(owner);
      if (tokens === undefined) containers.set(owner, [token]);
      else tokens.push(token);
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
    const pairName = findPairName((field) => values.get(field), this.#redactor.maySecret);
    for (const token of tokens) {
      if (token.kind === "key") {
        const key = names.size === 0 ? undefined : names.get(this.#read(token));
        if (key !== undefined) this.#replace(token, key);
      } else yield* this.#editValue(token, token.field === "value" ? pairName : undefined);
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
    for (const token of tokens) if (!inSecret.has(token)) yield* this.#editValue(token);
  }

  *#editValue(token: JsonToken, pairName?: string): Walk<void> {
    const { kind, owner, field, start, end } = token;
    if (this.#redactor.meter.spend(end - start)) yield;
    const place = placeWithin(this.#placeOf(owner), field ?? "");
    if (kind === "number") {
      const digits = this.#text.slice(start, end);
      if (place.kind === "measures" || isFixed(Number(digits), place)) return;
      const redacted = this.#redactor.redactDigits(digits);
      if (redacted !== undefined) this.#replace(token, redacted);
      return;
    }
    const value = this.#read(token);
    if (isFixed(value, place)) return;
    const redacted =
      place.kind === "identifier"
        ? yield* this.#redactor.redactIdentifier(value)
        : yield* this.#redactor.redactField(pairName ?? this.#findName(token), value);
    if (redacted !== value) this.#replace(token, redacted);
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
    const known = this.#places.get(container);
    if (known !== undefined) return known;
    // Outermost first, because nesting may exceed the stack.
    const unknown: JsonContainer[] = [];
    let at: JsonContainer | undefined = container;
    for (; at !== undefined && !this.#places.has(at); at = at.parent) unknown.push(at);
    for (const each of unknown.toReversed()) this.#places.set(each, this.#findPlace(each));
    return this.#places.get(container) ?? RECORD_LIST;
  }

  /** The places of all containers around it must be known. */
  #findPlace(container: JsonContainer): Place {
    const { parent, name, isArray } = container;
    if (parent === undefined) return RECORD_LIST;
    if (parent.parent === undefined) return isArray ? RECORD_LIST : RECORD;
    const place = placeWithin(this.#placeOf(parent), name);
    return place.kind === "open" && this.#records.has(container) ? RECORD : place;
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
