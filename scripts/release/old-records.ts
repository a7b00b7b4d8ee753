import { isFixtureSuite } from "#generated/index.js";
import { resolveCases } from "../../conformance/fixtures/cases.js";
import { toValue } from "../../conformance/fixtures/fixture.js";
import { gitWithInput, tryGit } from "../../src/base/files/git.js";
import { locateInText } from "../../src/base/findings/finding.js";
import { tryParseJson } from "../../src/base/json/value.js";

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
    const value = tryParseJson(line);
    return value === undefined ? [] : [{ file, line: index + 1, type: undefined, value }];
  });
}

/** The records of the valid cases, each with the line of its case. */
function toFixtureRecords(file: string, text: string): OldRecord[] {
  const suite = tryParseJson(text);
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
