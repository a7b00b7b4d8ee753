import { isFixtureSuite } from "#generated/index.js";
import { resolveCases } from "../../conformance/fixtures/cases.js";
import { toValue } from "../../conformance/fixtures/fixture.js";
import type { SchemaVersion } from "../../conformance/versions/changes.js";
import type { AjvValidator } from "../../src/compat/ajv/ajv.js";
import { pairEntryPoints } from "../../src/compat/entry-points.js";
import { requireValidator } from "../../src/compat/validators.js";
import { gitWithInput, tryGit } from "../../src/files/git.js";
import { locateInText } from "../../src/findings/finding.js";
import { describeError } from "../../src/json/schema-error.js";

/** The outcome for a record. */
export interface MigratedRecord {
  readonly record: OldRecord;
  /** Undefined if the result is valid under every type of the original record. */
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

/** Undefined for a record that is not valid under the old version. */
export type MigrationCheck = (
  record: OldRecord,
  migrate: (record: unknown) => unknown,
) => MigratedRecord | undefined;

/**
 * Checks records that are migrated from one version to another. The result must be valid under every type of
 * the original record; if such a type no longer exists, under any type.
 */
export function createMigrationCheck(before: SchemaVersion, after: SchemaVersion): MigrationCheck {
  const pairs = pairEntryPoints(before.root, after.root).flatMap(
    ({ name, oldName, old, new: now }) =>
      old === undefined
        ? []
        : [{ name, oldName, old: requireValidator(old), now: requireValidator(now ?? after.root) }],
  );
  return (record, migrate) => {
    const types = pairs.filter(
      ({ oldName, old }) =>
        (record.type ?? oldName) === oldName && old.isValid(record.value) === true,
    );
    if (types.length === 0) return undefined;
    try {
      const migrated = migrate(structuredClone(record.value));
      const all = types.map(({ name, now }) => findProblems(migrated, name, now));
      // One type is enough for the report: types that extend each other fail the same way.
      return { record, problems: all.find((problems) => problems.length > 0) ?? [] };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { record, problems: [{ pointer: "", message: `migrate throws: ${reason}` }] };
    }
  };
}

function findProblems(
  migrated: unknown,
  type: string,
  migrationCheck: AjvValidator,
): MigratedRecord["problems"] {
  if (migrationCheck.isValid(migrated) === true) return [];
  const place = type === "" ? "" : ` as ${type}`;
  return migrationCheck.errorsOf(migrated).map((error) => ({
    pointer: error.pointer,
    message: `migrated, it is not valid${place}: ${describeError(error, migrated)}`,
  }));
}

/** A record of the repository from the time when the schema was last as published. */
export interface OldRecord {
  /** Its file at that time, from the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The type of its suite; undefined for a record of any type. */
  readonly type: string | undefined;
  readonly value: unknown;
}

export interface OldRecords {
  /** The commit, abbreviated. */
  readonly commit: string;
  readonly records: readonly OldRecord[];
}

const SUITE = /^fixtures\/suites\/[^/]+\.json$/;
const GOLDEN = /^fixtures\/golden\/.+\.jsonl$/;

/**
 * The valid fixtures and golden records in the newest commit where the schema `file` has the published
 * `text`; since then they may have changed with the schema. Undefined if git finds no such commit.
 */
export function readOldRecords(root: string, file: string, text: string): OldRecords | undefined {
  const commit = findCommitWith(root, file, text);
  if (commit === undefined) return undefined;
  const texts = readGitFiles(root, commit, ["fixtures/suites", "fixtures/golden"]);
  return { commit, records: [...texts].flatMap(([name, content]) => toRecords(name, content)) };
}

function toRecords(file: string, text: string): OldRecord[] {
  if (SUITE.test(file)) return toFixtureRecords(file, text);
  if (!GOLDEN.test(file)) return [];
  return text.split("\n").flatMap((line, index) => {
    const value = tryToParse(line);
    return value === undefined ? [] : [{ file, line: index + 1, type: undefined, value }];
  });
}

/** The records of the valid cases, each with the line of its case. */
function toFixtureRecords(file: string, text: string): OldRecord[] {
  const suite = tryToParse(text);
  // Suites of a different format cannot be interpreted.
  if (!isFixtureSuite(suite)) return [];
  const valid = resolveCases(suite).filter(({ kind }) => kind === "valid");
  return valid.flatMap(({ pointer, content }) => {
    if (content === undefined) return [];
    const { line } = locateInText(text, pointer);
    const values = "rollout" in content ? content.rollout : [toValue(content)];
    return values.map((value) => ({ file, line, type: suite.type, value }));
  });
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The newest commit at `root` where a file has this text, abbreviated; undefined if there is none, or no git
 * repository.
 */
export function findCommitWith(root: string, file: string, text: string): string | undefined {
  const changed = tryGit(root, "log", "--format=%h", "--", file)?.toString("utf8").trim();
  if (!changed) return undefined;
  // A file keeps its contents until the next commit that changes it, so that commit's parent is the newest.
  const newest = ["HEAD", ...changed.split("\n").map((commit) => `${commit}^`)];
  const found = newest.find((commit) => {
    return tryGit(root, "show", `${commit}:./${file}`)?.toString("utf8") === text;
  });
  if (found === undefined) return undefined;
  return tryGit(root, "rev-parse", "--short", found)?.toString("utf8").trim();
}

/** The texts of all files below `folders` in a commit, by path from `root`. */
export function readGitFiles(
  root: string,
  commit: string,
  folders: readonly string[],
): ReadonlyMap<string, string> {
  const listed = tryGit(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", ...folders);
  const files = (listed?.toString("utf8") ?? "").split("\0").filter((file) => file !== "");
  const input = files.map((file) => `${commit}:./${file}\n`).join("");
  const printed = gitWithInput(root, input, "cat-file", "--batch");
  const texts = new Map<string, string>();
  let at = 0;
  for (const file of files) {
    const end = printed.indexOf("\n", at);
    // `<object> blob <size>`, the bytes, and a line break.
    const size = Number(printed.toString("utf8", at, end).split(" ")[2]);
    texts.set(file, printed.toString("utf8", end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return texts;
}
