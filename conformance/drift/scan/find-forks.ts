import type { Tree } from "../trees/tree.js";
import { encodingOf } from "./encoding-of.js";
import {
  type FoundLikeness,
  findLikeness,
  isSchemaOf,
  type ScannedSchema,
} from "./find-likeness.js";

/** A file that looks like one of the canonical schemas. */
export interface Fork extends FoundLikeness {
  readonly path: string;
  readonly text: string;
}

/** What was looked at. */
export interface ScanResult {
  readonly files: number;
  /** Files that may hold a schema, and were looked into. */
  readonly candidates: number;
  /** Files that are no text. */
  readonly binary: number;
  readonly forks: readonly Fork[];
  /** Files that were not read, and why. */
  readonly unread: readonly { readonly path: string; readonly because: string }[];
}

/** A schema is at most this large, in bytes. */
const MAX_SIZE = 2 ** 24;

/** A JSON object is seen from these first bytes, a byte-order mark and space among them. */
const START = 64;

/** Every file of a tree that is a copy of one of the schemas, was once, or holds one, whatever it is called. */
export function findForks(tree: Tree, schemas: readonly ScannedSchema[]): ScanResult {
  const files = tree.files();
  const readable = files.filter(({ size }) => size <= MAX_SIZE);
  const unread = files
    .filter(({ size }) => size > MAX_SIZE)
    .map(({ path }) => ({ path, because: "is too large to be a schema" }));
  const isNamed = (path: string): boolean => schemas.some(({ name }) => isSchemaOf(path, name));
  const forks: Fork[] = [];
  let [candidates, binary] = [0, 0];
  for (const [path, bytes] of tree.readMany(readable.map(({ path }) => path))) {
    if (bytes === undefined) {
      unread.push({ path, because: "cannot be read" });
      continue;
    }
    const encoding = encodingOf(bytes);
    if (encoding === undefined) {
      binary += 1;
      continue;
    }
    // Most files have no word of a schema, and need not be decoded; those in UTF-16 hide theirs.
    const content = encoding === "utf-8" ? bytes : new TextDecoder(encoding).decode(bytes);
    if (!isNamed(path) && !mayHoldSchema(content)) continue;
    candidates += 1;
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    const found = findLikeness(path, text, schemas);
    if (found !== undefined) forks.push({ path, text, ...found });
  }
  return { files: files.length, candidates, binary, forks, unread };
}

/** Whether a text has one of the words without which there is no schema in it, or is a JSON object. */
function mayHoldSchema(text: Buffer | string): boolean {
  if (text.includes("properties") || text.includes("$id")) return true;
  return /^(\u00ef\u00bb\u00bf|\s)*\{/.test(
    typeof text === "string" ? text : text.toString("latin1", 0, START),
  );
}
