import { createHmac } from "node:crypto";
import { pointerTokens, toPointerToken } from "../../../base/json/pointer.js";
import { scanJson } from "../../../base/json/tokens.js";
import { finish, PLACEHOLDER, type Redact } from "./redact.js";
import { type Edit, findEdits, isJson, type Redactor } from "./redact-json.js";
import { redactSecrets } from "./redact-secrets.js";
import { createRedactor } from "./redactor.js";

/** How the records of a run are redacted; plain data, so that every thread replaces a secret by the same placeholder. */
export interface RedactionPlan {
  /** Key of the hash in the placeholders. */
  readonly key: Uint8Array;
  /** Known secrets. */
  readonly values: readonly string[];
}

/**
 * A hash that plans share if they replace the same secrets by the same placeholders. It does not tell the secrets: only
 * with the key can guesses be hashed.
 */
export function hashPlan({ key, values }: RedactionPlan): string {
  const known = JSON.stringify([...new Set(values)].toSorted());
  return `sha256:${createHmac("sha256", key).update(known).digest("hex")}`;
}

/** Number of secrets by kind. */
export type SecretCounts = ReadonlyMap<string, number>;

/** Counts secrets by kind. */
export class SecretCounter {
  readonly #counts = new Map<string, number>();

  /** The counts so far, most frequent kind first, then by name. */
  get counts(): SecretCounts {
    return new Map([...this.#counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
  }

  add(counts: Iterable<readonly [kind: string, count: number]>): void {
    for (const [kind, count] of counts) {
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
    }
  }
}

const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");

/** Counts the placeholders that redaction added: those in `redacted` less those in `text`. */
function countAdded(text: string, redacted: string): SecretCounts {
  const counts = new Map<string, number>();
  const add = (found: string, by: number): void => {
    for (const [placeholder] of found.matchAll(PLACEHOLDERS)) {
      const kind = placeholder.split(":")[1] ?? "";
      counts.set(kind, (counts.get(kind) ?? 0) + by);
    }
  };
  if (text === redacted) return counts;
  add(redacted, 1);
  add(text, -1);
  return new Map([...counts].filter(([, count]) => count > 0));
}

/** A secret in a line. */
export interface FoundSecret {
  readonly kind: string;
  /** JSON Pointer of the value or key that contains it, with its keys redacted; "" in a text that is not JSON. */
  readonly pointer: string;
  /** Offset of that value in the line, in UTF-16 code units from 0. */
  readonly offset: number;
}

interface RedactedLine {
  readonly text: string;
  readonly found: readonly FoundSecret[];
}

/** Creates a function that redacts a JSON text, or any other text. */
export function createLineRedactor(plan: RedactionPlan): (text: string) => RedactedLine {
  const nextRedactor = createRedactor(plan);
  return (text) => {
    const redactor = nextRedactor();
    if (isJson(text)) return applyEdits(text, finish(findEdits(text, redactor)), redactor);
    const redacted = finish(redactor.redactString(text));
    return { text: redacted, found: toFound(text, redacted, { pointer: "", offset: 0 }) };
  };
}

function applyEdits(text: string, edits: readonly Edit[], redactor: Redactor): RedactedLine {
  const found: FoundSecret[] = [];
  let [redacted, end] = ["", 0];
  for (const [index, pointer] of locate(text, edits).entries()) {
    const edit = edits[index];
    if (edit === undefined) continue;
    const { start, json } = edit;
    redacted += text.slice(end, start) + json;
    end = edit.end;
    const place = { pointer: redactPointer(pointer, redactor), offset: start };
    found.push(...toFound(text.slice(start, end), json, place));
  }
  return { text: redacted + text.slice(end), found };
}

/** Keys may be secrets too. */
function redactPointer(pointer: string, redactor: Redactor): string {
  return pointerTokens(pointer)
    .map((token) => `/${toPointerToken(redactor.redactKey(token))}`)
    .join("");
}

/** The pointers of the values and keys that are replaced. */
function locate(text: string, edits: readonly Edit[]): string[] {
  const pointers: string[] = [];
  if (edits.length === 0) return pointers;
  for (const { start, pointer } of scanJson(text)) {
    if (start !== edits[pointers.length]?.start) continue;
    pointers.push(pointer());
    if (pointers.length === edits.length) break;
  }
  return pointers;
}

function toFound(text: string, redacted: string, place: Omit<FoundSecret, "kind">): FoundSecret[] {
  return [...countAdded(text, redacted)].flatMap(([kind, count]) =>
    Array.from({ length: count }, () => ({ kind, ...place })),
  );
}

/** Redacts records, and counts what it replaced. */
export class RecordRedactor {
  readonly #redact: Redact;
  #secrets = new SecretCounter();

  constructor(plan: RedactionPlan) {
    this.#redact = redactSecrets(plan);
  }

  redact<T extends object>(record: T): T {
    const redacted = this.#redact(record);
    this.#secrets.add(countAdded(JSON.stringify(record), JSON.stringify(redacted)));
    return redacted;
  }

  /** The secrets that were replaced since the last call. */
  takeSecrets(): SecretCounts {
    const { counts } = this.#secrets;
    this.#secrets = new SecretCounter();
    return counts;
  }
}

/** A value that a message quotes: without its field, nothing tells whether it is a secret. */
const QUOTED_VALUE = /\bis "(?:[^"\\]|\\.)*"/g;

/** Creates a function that redacts the message of a finding. Values that it quotes are left out. */
export function createMessageRedactor(plan: RedactionPlan): (message: string) => string {
  const redactLine = createLineRedactor(plan);
  return (message) => redactLine(message.replaceAll(QUOTED_VALUE, "is a text")).text;
}
