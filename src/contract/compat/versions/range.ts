import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { tryGit } from "../../../base/files/git.js";
import { isJsonObject } from "../../../base/json/value.js";
import { escapeControls, formatCount } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { JsonTextError, parseJsonText } from "../../schemas/json-text.js";
import type { SchemaSource } from "../load-version.js";
import { differingPaths, listBelow, listChanged } from "./changed-files.js";
import { type Commit, findCommit } from "./commit.js";
import { CommitFiles } from "./commit-files.js";
import { CommitSchemas } from "./commit-schemas.js";
import { GitBlobs } from "./git-blobs.js";
import { findSchemaSource } from "./sources.js";

/** Two versions of one schema. */
export interface SchemaPair {
  /** The schema's file, or the new version as the user named it. */
  readonly name: string;
  /** What git says about the file; undefined if the user named both versions. */
  readonly status?: "added" | "changed" | "removed";
  /** The path of its file before, if that was another one. */
  readonly renamedFrom?: string | undefined;
  /** The changed files to which the schema refers; undefined if its own file changed, too. */
  readonly through?: readonly string[];
  /** Whether nothing changed that is here. Then only what is not here may have changed. */
  readonly isUnchanged?: boolean;
  /** Reads both. Throws UserError (exit 3) if either cannot be read. */
  readonly read: () => { readonly before: SchemaSource; readonly after: SchemaSource };
}

/** What the operands of `diff` name. */
export interface NamedPairs {
  readonly pairs: readonly SchemaPair[];
  /** Number of schemas that were looked at, changed or not. */
  readonly looked: number;
}

/** `main...HEAD`: from their last common commit. `main..HEAD`: from main itself. No file path looks like this. */
const RANGE = /^(?=.*[^.])([^:]*[^:/.])?(\.{2,3})([^:/.][^:]*)?$/;

/** Whether an operand is a range of commits, not a version of a schema. */
export function isRange(named: string, cwd: string): boolean {
  return RANGE.test(named) && !existsSync(resolve(cwd, named));
}

/**
 * The two versions that the operands of `diff` name, or all schemas that changed if the operands are a range of commits.
 *
 * Throws UserError: exit 2 if they are not two, exit 3 if there is no such schema; as `findChangedSchemas` does.
 */
export function findPairs(operands: readonly string[], surroundings: Surroundings): NamedPairs {
  const { cwd, schemas } = surroundings;
  const [first, second, ...others] = operands;
  if (first !== undefined && isRange(first, cwd)) {
    return findChangedSchemas(first, operands.slice(1), surroundings);
  }
  if (first === undefined || second === undefined || others.length > 0) {
    throw new UserError(
      "diff needs two versions, or a range of commits such as main...HEAD and its paths",
      EXIT.usage,
    );
  }
  const find = (name: string): SchemaSource => findSchemaSource(name, cwd, schemas);
  const read = () => ({ before: find(first), after: find(second) });
  return { pairs: [{ name: second, read }], looked: 1 };
}

interface Surroundings {
  readonly cwd: string;
  /** Files, folders and patterns of schemas in which references are found. */
  readonly schemas: readonly string[];
}

/**
 * The schemas below `paths` that changed between two commits, or that refer to a file that did, by path. A schema that
 * was removed accepts nothing any more. Throws UserError (exit 3) if a commit is missing or there is no schema at all.
 */
function findChangedSchemas(
  named: string,
  operands: readonly string[],
  { cwd, schemas: places }: Surroundings,
): NamedPairs {
  const paths = operands.length === 0 ? ["."] : operands;
  const [base, last] = findEnds(cwd, named, paths);
  const blobs = new GitBlobs(cwd);
  const [before, after] = [base, last].map((end) => new CommitFiles(cwd, end, blobs));
  if (before === undefined || after === undefined) throw new RangeError("a range has two ends");
  const [olds, news] = [
    listSchemas(before, listBelow(cwd, base, paths)),
    listSchemas(after, listBelow(cwd, last, paths)),
  ];
  requireSchemas(olds.schemas.size + news.schemas.size, news.candidates, paths);
  const own = listChanged(cwd, [base, last], paths).filter(
    ({ was = "", is = "" }) => olds.schemas.has(was) || news.schemas.has(is),
  );
  const load = (files: CommitFiles, also: ReadonlySet<string>, more: readonly string[]) =>
    new CommitSchemas(files, { cwd, named: places, schemas: new Set([...also, ...more]), also });
  const older = load(
    before,
    olds.schemas,
    own.flatMap(({ was }) => was ?? []),
  );
  const newer = load(
    after,
    news.schemas,
    own.flatMap(({ is }) => is ?? []),
  );
  requireNamed([older, newer]);
  const differing = differingPaths(before, after);
  const changed = own.map(({ was, is }): SchemaPair => {
    const removed = { name: was ?? "", text: "false", others: [] };
    return {
      name: is ?? was ?? "",
      status: was === undefined ? "added" : is === undefined ? "removed" : "changed",
      renamedFrom: is !== undefined && was !== is ? was : undefined,
      read: () => ({
        // A new schema is compared with itself: nobody has read or written it before.
        before: was === undefined ? newer.toSource(is ?? "") : older.toSource(was),
        // By its path, so that annotations are shown beside it.
        after: is === undefined ? removed : newer.toSource(is, is),
      }),
    };
  });
  const known = new Set(own.flatMap(({ was, is }) => [was, is]));
  const reached = [...news.schemas].flatMap((path): SchemaPair[] => {
    if (known.has(path)) return [];
    const sides = [older, newer].map((side) => ({ side, closure: side.closureOf(path) }));
    const closure = new Set(sides.flatMap((each) => [...each.closure]));
    const through = [...closure].filter((each) => differing.has(each)).sort();
    const isUnfetched = sides.some((each) => each.side.isUnfetched(each.closure));
    if (through.length === 0 && !isUnfetched) {
      if (!newer.mayBeOpen(closure)) return [];
      const read = () => ({ before: older.toSource(path), after: newer.toSource(path, path) });
      return [{ name: path, isUnchanged: true, read }];
    }
    const read = () => {
      for (const each of sides) each.side.requireFetched(each.closure);
      return { before: older.toSource(path), after: newer.toSource(path, path) };
    };
    return [{ name: path, status: "changed", through, read }];
  });
  const pairs = [...changed, ...reached].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { pairs, looked: new Set([...olds.schemas, ...news.schemas]).size };
}

/** The two commits of a range. Throws UserError (exit 3) if one is missing, or their last common one. */
function findEnds(cwd: string, named: string, [path = "."]: readonly string[]): [Commit, Commit] {
  const [, from = "HEAD", dots = "", to = "HEAD"] = RANGE.exec(named) ?? [];
  const first = { ref: from, commit: findCommit(cwd, { ref: from, path }) };
  const last = { ref: to, commit: findCommit(cwd, { ref: to, path }) };
  if (dots === "..") return [first, last];
  const found = tryGit(cwd, "merge-base", first.commit, last.commit)?.toString("utf8").trim();
  if (found !== undefined && found !== "") {
    return [{ ref: found.slice(0, 12), commit: found }, last];
  }
  throw new UserError(
    `${escapeControls(first.ref)}...${escapeControls(last.ref)}: no common commit (a shallow clone lacks it: git fetch --unshallow, or fetch-depth: 0 in actions/checkout)`,
  );
}

/** Keywords, one of which a schema with an `$id` has. */
const DEMANDS = ["type", "properties", "$defs", "definitions", "anyOf", "oneOf", "allOf", "$ref"];

interface FoundSchemas {
  readonly schemas: ReadonlySet<string>;
  /** Number of files that may be schemas. */
  readonly candidates: number;
}

/** The schemas among some files: by their name, or because they say so, or nobody can tell. */
function listSchemas(files: CommitFiles, paths: readonly string[]): FoundSchemas {
  const candidates = paths.filter((path) => path.endsWith(".json"));
  const schemas = new Set(candidates.filter((path) => path.endsWith(".schema.json")));
  const unnamed = candidates.filter((path) => !schemas.has(path));
  for (const [path, { size, text }] of files.readMany(unnamed)) {
    if (size === undefined || (text !== undefined && isSchemaText(text))) schemas.add(path);
  }
  return { schemas, candidates: candidates.length };
}

/** By its `$schema`; without one, by an `$id` beside what records must be, or by an object with properties. */
function isSchemaText(text: string): boolean {
  if (!/json-schema\.org|"\$id"|"properties"/.test(text)) return false;
  try {
    const value = parseJsonText(text);
    if (!isJsonObject(value)) return false;
    if (value.$schema !== undefined) return String(value.$schema).includes("json-schema.org");
    const isObject = value.type === "object" && isJsonObject(value.properties);
    return isObject || (typeof value.$id === "string" && DEMANDS.some((key) => key in value));
  } catch (error) {
    if (error instanceof JsonTextError) return /"\$schema"\s*:\s*"[^"]*json-schema\.org/.test(text);
    throw error;
  }
}

/** A pattern that matches no schema would be green for ever. */
function requireSchemas(found: number, candidates: number, paths: readonly string[]): void {
  if (found > 0) return;
  const where = paths.map(escapeControls).join(", ");
  throw new UserError(`${where}: no schema among ${formatCount(candidates, "JSON file")} there`);
}

function requireNamed([older, newer]: readonly [CommitSchemas, CommitSchemas]): void {
  const none = older.missing.find((name) => newer.missing.includes(name));
  if (none === undefined) return;
  throw new UserError(`${escapeControls(none)}: no such file or folder in either commit`);
}
