import { existsSync } from "node:fs";
import { posix, resolve } from "node:path";
import { git, tryGit } from "../../../base/files/git.js";
import { isJsonObject } from "../../../base/json/value.js";
import { escapeControls, formatCount } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { JsonTextError, parseJsonText } from "../../schemas/json-text.js";
import type { SchemaSource } from "../load-version.js";
import { findCommit, findSchemaSource, readFromGit } from "./sources.js";

/** Two versions of one schema. */
export interface SchemaPair {
  /** What git says about the file; undefined if the user named both versions. */
  readonly status?: "added" | "changed" | "removed";
  readonly before: SchemaSource;
  readonly after: SchemaSource;
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
export function findPairs(
  operands: readonly string[],
  surroundings: Surroundings,
): readonly SchemaPair[] {
  const { cwd, schemaRoot } = surroundings;
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
  const find = (name: string): SchemaSource => findSchemaSource(name, cwd, schemaRoot);
  return [{ before: find(first), after: find(second) }];
}

interface Surroundings {
  readonly cwd: string;
  readonly schemaRoot: string | undefined;
}

/**
 * The schemas below `paths` that changed between two commits, in the order of git. A schema that was removed accepts
 * nothing any more. Throws UserError (exit 3) if a commit is missing or there is no schema at all.
 */
function findChangedSchemas(
  named: string,
  paths: readonly string[],
  { cwd, schemaRoot }: Surroundings,
): readonly SchemaPair[] {
  const [, from = "HEAD", dots = "", to = "HEAD"] = RANGE.exec(named) ?? [];
  const [first, last] = [from, to].map((ref) => ({
    ref,
    commit: findCommit(cwd, { ref, path: paths[0] ?? "." }),
  }));
  if (first === undefined || last === undefined) throw new RangeError("a range has two ends");
  const base = dots === "..." ? findMergeBase(cwd, first, last) : first;
  const below = paths.length === 0 ? ["."] : paths;
  const isSchema = (commit: string, path: string): boolean => isSchemaFile(cwd, commit, path);
  const changed = listChanged(cwd, base.commit, last.commit, below).filter(
    ({ was, is }) =>
      (was !== undefined && isSchema(base.commit, was)) ||
      (is !== undefined && isSchema(last.commit, is)),
  );
  if (changed.length === 0) requireSchemas(cwd, last.commit, below);
  const read = (end: Commit, path: string): SchemaSource =>
    readFromGit({ ref: end.ref, path }, end.commit, { cwd, schemaRoot });
  return changed.map(({ was, is }) => ({
    status: was === undefined ? "added" : is === undefined ? "removed" : "changed",
    // A new schema is compared with itself: nobody has read or written it before.
    before: was === undefined ? read(last, is ?? "") : read(base, was),
    // By its path, so that annotations are shown beside it.
    after:
      is === undefined
        ? { name: was ?? "", text: "false", others: [] }
        : { ...read(last, is), name: is },
  }));
}

interface Commit {
  readonly ref: string;
  readonly commit: string;
}

function findMergeBase(cwd: string, first: Commit, last: Commit): Commit {
  const found = tryGit(cwd, "merge-base", first.commit, last.commit)?.toString("utf8").trim();
  if (found !== undefined && found !== "") return { ref: found.slice(0, 12), commit: found };
  throw new UserError(
    `${escapeControls(first.ref)}...${escapeControls(last.ref)}: no common commit (a shallow clone lacks it: git fetch --unshallow, or fetch-depth: 0 in actions/checkout)`,
  );
}

interface ChangedFile {
  /** Its path before; undefined if it was added. */
  readonly was: string | undefined;
  /** Its path after; undefined if it was removed. */
  readonly is: string | undefined;
}

/** Files that differ, with paths relative to the current folder. A renamed file is one file. */
function listChanged(
  cwd: string,
  from: string,
  to: string,
  paths: readonly string[],
): ChangedFile[] {
  const options = ["--name-status", "--find-renames", "--relative", "-z", from, to, "--", ...paths];
  const fields = git(cwd, "diff", ...options)
    .toString("utf8")
    .split("\0");
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const status = fields[at] ?? "";
    const [path, renamed] = [fields[at + 1], fields[at + 2]];
    const isMoved = /^[RC]/.test(status);
    if (isMoved) files.push({ was: path, is: renamed });
    else if (status === "A") files.push({ was: undefined, is: path });
    else files.push({ was: path, is: status === "D" ? undefined : path });
    at += isMoved ? 3 : 2;
  }
  return files.filter(({ was, is }) => (was ?? is ?? "").endsWith(".json"));
}

/** Whether a file is a schema: by its name, or because it says so. */
function isSchemaFile(cwd: string, commit: string, path: string): boolean {
  if (path.endsWith(".schema.json")) return true;
  const text = tryGit(cwd, "cat-file", "blob", `${commit}:./${posix.normalize(path)}`);
  if (text?.includes("json-schema.org") !== true) return false;
  try {
    const value = parseJsonText(text);
    return isJsonObject(value) && String(value.$schema).includes("json-schema.org");
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

/** A pattern that matches no schema would be green for ever. */
function requireSchemas(cwd: string, commit: string, paths: readonly string[]): void {
  const names = git(cwd, "ls-tree", "-r", "-z", "--name-only", commit, "--", ...paths)
    .toString("utf8")
    .split("\0")
    .filter((path) => path.endsWith(".json"));
  if (names.some((path) => isSchemaFile(cwd, commit, path))) return;
  const where = paths.map(escapeControls).join(", ");
  throw new UserError(`${where}: no schema among ${formatCount(names.length, "JSON file")} there`);
}
