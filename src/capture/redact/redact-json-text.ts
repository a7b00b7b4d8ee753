import { type JsonToken, scanJson, unquote } from "../../records/scan-json.js";
import { findListSecrets } from "./find-list-secrets.js";
import { isSecretPair } from "./is-secret-pair.js";
import type { Redactor } from "./redactor.js";
import { renameKeys } from "./rename-keys.js";

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
export function redactJsonText(text: string, redactor: Redactor): string | undefined {
  const tokens = readTokens(text);
  if (tokens === undefined) return undefined;
  const edits = [...byOwner(tokens)].flatMap((owned) =>
    owned.some(({ kind }) => kind === "key")
      ? editObject(text, owned, redactor)
      : splitLists(text, owned).flatMap((list) => editList(text, list, redactor)),
  );
  let [result, end] = ["", 0];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(end, edit.start) + edit.json;
    end = edit.end;
  }
  return result + text.slice(end);
}

function readTokens(text: string): JsonToken[] | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return [...scanJson(text)];
}

function byOwner(tokens: readonly JsonToken[]): Iterable<JsonToken[]> {
  const owners = new Map<object, JsonToken[]>();
  for (const token of tokens) {
    const owned = owners.get(token.owner);
    if (owned === undefined) owners.set(token.owner, [token]);
    else owned.push(token);
  }
  return owners.values();
}

function editObject(text: string, tokens: readonly JsonToken[], redactor: Redactor): Edit[] {
  const keys = tokens.filter(({ kind }) => kind === "key");
  const names = renameKeys(
    keys.map((key) => readText(text, key)),
    redactor.redactKey,
  );
  const values = new Map(
    tokens
      .filter(({ kind }) => kind === "string")
      .map((token) => [token.field, readText(text, token)]),
  );
  const isPair = isSecretPair((field) => values.get(field), redactor.isSecretField);
  return tokens.flatMap((token) =>
    token.kind === "key"
      ? editText(text, token, (key) => names.get(key) ?? key)
      : editValue(text, token, redactor, isPair && token.field === "value"),
  );
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

function editList(text: string, tokens: readonly JsonToken[], redactor: Redactor): Edit[] {
  const elements = tokens.map((token) => readElement(text, token));
  const secrets = findListSecrets(elements);
  const inSecret = new Set<JsonToken>();
  const edits = secrets.flatMap(({ start, end, kind, text: secret }): Edit[] => {
    const covered = tokens.slice(start, end);
    for (const token of covered) inSecret.add(token);
    const [first, last] = [covered[0], covered.at(-1)];
    if (first === undefined || last === undefined) return [];
    const json = JSON.stringify(redactor.placeholderOf(kind, secret));
    return [{ start: first.start, end: last.end, json }];
  });
  const others = tokens.filter((token) => !inSecret.has(token));
  return [...edits, ...others.flatMap((token) => editValue(text, token, redactor))];
}

function editValue(
  text: string,
  token: JsonToken,
  redactor: Redactor,
  isPairValue = false,
): Edit[] {
  const { kind, field, start, end } = token;
  if (kind === "string") {
    const isSecret = isPairValue || (field !== undefined && redactor.isSecretField(field));
    return editText(text, token, isSecret ? redactor.redactSecret : redactor.redactString);
  }
  const redacted = redactor.redactDigits(text.slice(start, end));
  return redacted === undefined ? [] : [{ start, end, json: JSON.stringify(redacted) }];
}

function editText(text: string, token: JsonToken, edit: (value: string) => string): Edit[] {
  const value = readText(text, token);
  const edited = edit(value);
  const { start, end } = token;
  return edited === value ? [] : [{ start, end, json: JSON.stringify(edited) }];
}

function readText(text: string, { start, end }: JsonToken): string {
  return unquote(text.slice(start, end));
}

function readElement(text: string, token: JsonToken): unknown {
  return token.kind === "number"
    ? Number(text.slice(token.start, token.end))
    : readText(text, token);
}
