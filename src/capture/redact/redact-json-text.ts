import { type JsonToken, scanJson, unquote } from "../../json/tokens.js";
import { findListSecrets } from "./find-list-secrets.js";
import { findPairName, isPairField } from "./find-pair-name.js";
import type { Redactor } from "./redactor.js";
import { renameKeys } from "./rename-keys.js";
import type { Walk } from "./walk.js";

interface Edit {
  readonly start: number;
  readonly end: number;
  /** JSON that takes its place. */
  readonly json: string;
}

/** Whether a text may be JSON that holds more than a number or a word. */
export function mayBeJson(text: string): boolean {
  return /^\s{0,64}[[{"]/.test(text) && /[\]}"]\s{0,64}$/.test(text.slice(-65));
}

/**
 * A text that is JSON, without its secrets, and without any other change to its bytes: numbers keep their digits,
 * lines their indentation. Undefined when it is no JSON.
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

/** The keys, texts and numbers of a text, by the object or list that they stand in. */
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

/** Elements of a list that stand next to each other: others than texts and numbers are no tokens. */
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
