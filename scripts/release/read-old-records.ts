import { locateInText } from "../../src/findings/finding.js";
import { isJsonObject } from "../../src/json/value.js";
import { findCommitWith, readGitFiles } from "./git-files.js";

/** A record of the repository as it was when a schema last was what is published. */
export interface OldRecord {
  /** Where it stood then, from the repository's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The type that its folder names; undefined for one that may be of any. */
  readonly type: string | undefined;
  readonly value: unknown;
}

export interface OldRecords {
  /** The commit, abbreviated. */
  readonly commit: string;
  readonly records: readonly OldRecord[];
}

const FIXTURE = /^fixtures\/valid\/([^/]+)\/[^/]+\.json$/;
const GOLDEN = /^fixtures\/golden\/.+\.jsonl$/;

/**
 * The valid fixtures and golden records of the newest commit in which the schema `file` has the published `text`:
 * by now they may have moved on with it. Undefined where git knows no such commit.
 */
export function readOldRecords(root: string, file: string, text: string): OldRecords | undefined {
  const commit = findCommitWith(root, file, text);
  if (commit === undefined) return undefined;
  const texts = readGitFiles(root, commit, ["fixtures/valid", "fixtures/golden"]);
  return { commit, records: [...texts].flatMap(([name, content]) => toRecords(name, content)) };
}

function toRecords(file: string, text: string): OldRecord[] {
  const [, type] = FIXTURE.exec(file) ?? [];
  if (type !== undefined) return toFixtureRecords(file, type, text);
  if (!GOLDEN.test(file)) return [];
  return text.split("\n").flatMap((line, index) => {
    const value = tryToParse(line);
    return value === undefined ? [] : [{ file, line: index + 1, type: undefined, value }];
  });
}

function toFixtureRecords(file: string, type: string, text: string): OldRecord[] {
  const fixture = tryToParse(text);
  if (!isJsonObject(fixture)) return [];
  const { record, rollout, text: line } = fixture;
  const at = (pointer: string, value: unknown): OldRecord => {
    return { file, line: locateInText(text, pointer).line, type, value };
  };
  return [
    ...(record === undefined ? [] : [at("/record", record)]),
    ...(Array.isArray(rollout)
      ? rollout.map((value, index) => at(`/rollout/${index}`, value))
      : []),
    ...(typeof line === "string" ? [at("/text", tryToParse(line))] : []),
  ];
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
