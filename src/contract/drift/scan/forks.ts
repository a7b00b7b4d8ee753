import { sha256 } from "../../../base/files/hash.js";
import { createFinding, type Finding } from "../../../base/findings/finding.js";
import { isGeneratedText } from "../../codegen/files.js";
import { listNamedTypes } from "../../schemas/named-types.js";
import { listIds } from "../../schemas/schema-id.js";
import type { Canonical } from "../canonical.js";
import type { Tree } from "../trees/tree.js";
import { type ComparedFork, compareFork } from "./compare-fork.js";
import {
  type Clue,
  type Fork,
  findLikeness,
  isSchemaOf,
  type ScannedSchema,
} from "./find-likeness.js";
import type { Likeness } from "./likeness.js";
import { featuresAt, structureOf } from "./structure.js";
import { namesOf } from "./written-names.js";

/** The outcome of a scan, with counts of files. */
interface ScanResult {
  readonly files: number;
  /** Files that may contain a schema and were examined. */
  readonly candidates: number;
  /** Binary files. */
  readonly binary: number;
  readonly forks: readonly Fork[];
  /** Files that were not read, with the reason. */
  readonly unread: readonly { readonly path: string; readonly because: string }[];
}

/** Larger files, in bytes, are not read. */
export const MAX_SIZE = 2 ** 24;

/** A JSON object is recognised within this many bytes, including a byte-order mark and spaces. */
const START = 64;

/**
 * Finds every file of a tree that is, or contains, a copy or fork of a schema, whatever its name. Files for
 * which `isSearched` is false are not read.
 */
export function findForks(
  tree: Tree,
  schemas: readonly ScannedSchema[],
  isSearched: (path: string) => boolean,
): ScanResult {
  const files = tree.files().filter(({ path }) => isSearched(path));
  const readable = files.filter(({ size }) => size <= MAX_SIZE);
  const unread = files
    .filter(({ size }) => size > MAX_SIZE)
    .map(({ path }) => ({ path, because: "is too large: more than 16 MiB" }));
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
    // Most UTF-8 files have no keyword of a schema and need not be decoded; UTF-16 must be decoded first.
    const content = encoding === "utf-8" ? bytes : new TextDecoder(encoding).decode(bytes);
    if (!isNamed(path) && !mayHoldSchema(content)) continue;
    candidates += 1;
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    // Generated classes hold parts of their schema as data. They are copies of code, not forks.
    if (path.endsWith(".py") && isGeneratedText(text)) continue;
    const found = findLikeness(path, text, schemas);
    if (found !== undefined) forks.push({ path, text, hash: sha256(bytes), ...found });
  }
  return { files: files.length, candidates, binary, forks, unread };
}

/** Whether a text has a keyword that every schema has, or is a JSON object. */
function mayHoldSchema(text: Buffer | string): boolean {
  if (text.includes("properties") || text.includes("$id")) return true;
  return /^(\u00ef\u00bb\u00bf|\s)*\{/.test(
    typeof text === "string" ? text : text.toString("latin1", 0, START),
  );
}

/** Bytes that are checked to recognise binary files, as in git. */
const HEAD = 8000;

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding of a text file, with or without a byte-order mark; undefined for a binary file. */
function encodingOf(bytes: Buffer): Encoding | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (!bytes.subarray(0, HEAD).includes(0)) return "utf-8";
  // Without a mark: a schema begins with ASCII characters, so one byte of each is zero.
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return undefined;
}

/** A fork, compared with the closest version. */
export interface FoundFork {
  readonly fork: Fork;
  /** Undefined if the file only contains a schema, as source code does. */
  readonly compared: ComparedFork | undefined;
}

export interface ScannedTree extends Pick<ScanResult, "files" | "candidates" | "binary"> {
  /** About files that were not read. */
  readonly findings: readonly Finding[];
  /** The unregistered copies and forks. */
  readonly forks: readonly FoundFork[];
}

interface ScanOptions {
  /** Paths of registered copies. */
  readonly known: ReadonlySet<string>;
  /** Whether a file is read. */
  readonly isSearched: (path: string) => boolean;
}

/** Finds unregistered copies and forks of the format's schemas. */
export function findUnregistered(
  tree: Tree,
  canonical: Canonical,
  { known, isSearched }: ScanOptions,
): ScannedTree {
  const { forks, unread, ...counts } = findForks(tree, listScanned(canonical), isSearched);
  const isUnknown = ({ path }: { readonly path: string }): boolean => !known.has(path);
  const found = forks
    .filter(isUnknown)
    .map((fork) => ({ fork, compared: compareFork(fork, { tree, canonical }) }));
  return {
    ...counts,
    // A known file is read by those who compare or replay it.
    findings: unread
      .filter(isUnknown)
      .map(({ path, because }) => toUnread(tree.nameOf(path), because)),
    forks: found,
  };
}

/** A warning about a file that was not read. */
export function toUnread(file: string, because: string): Finding {
  const message = `${because}, so it was not examined`;
  return { ...createFinding({ id: "not-read", file, message }), severity: "warning" };
}

/** What is searched: the schemas of records that repositories exchange. */
export function listScanned(canonical: Canonical): ScannedSchema[] {
  return canonical.formats().flatMap((entry) => {
    const { name, inferred } = entry;
    const newest = canonical.newest(name);
    const document: unknown = newest && JSON.parse(newest.text);
    return [
      {
        ids: listIds(entry),
        name,
        types: listTypes(document, name),
        isInferred: inferred !== false,
        structure: structureOf(document),
        names: namesOf(document),
      },
    ];
  });
}

/** The record types of a schema, as a scan compares them. */
export function listTypes(document: unknown, name: string): ScannedSchema["types"] {
  return listNamedTypes(document, name).map((type) => ({
    ...type,
    features: featuresAt(document, type.pointer),
  }));
}

const REASONS: Readonly<Record<Clue, string>> = {
  $id: "by its $id",
  name: "by its name",
  structure: "by its properties",
  names: "by the names in it",
};

/** The finding about a fork; `note` says what else is known. */
export function toForkFinding({ fork, compared }: FoundFork, tree: Tree, note?: string): Finding {
  const { path, schema, by, likeness } = fork;
  const reason = [REASONS[by], ...describeLikeness(likeness)].join(", ");
  const said = note === undefined ? "" : `; ${note}`;
  const message = `looks like an unregistered copy of ${schema} (${reason})${said}`;
  const file = tree.nameOf(path);
  const detail = compared && describeComparison(compared);
  return createFinding({ id: "unregistered", file, message, ...(detail && { detail }) });
}

function describeComparison({ original, outcome, changes }: ComparedFork): string {
  const sentence = `compared with ${original}, it ${outcome}`;
  return changes === "" ? sentence : `${sentence}\n${changes}`;
}

/** The part is shown only if it is more similar than the whole. */
function describeLikeness({ whole, part }: Likeness): string[] {
  const ofWhole = whole.toFixed(2);
  // The part without a name is the schema itself, apart from what it contains.
  if (part?.name === "" && part.similarity > whole) {
    return [`similarity ${part.similarity.toFixed(2)}`];
  }
  if (part === undefined || part.similarity <= whole) {
    return whole > 0 ? [`similarity ${ofWhole}`] : [];
  }
  return [`like ${part.name}, similarity ${part.similarity.toFixed(2)}`, `as a whole ${ofWhole}`];
}
