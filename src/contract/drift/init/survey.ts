import type { FoundArtefact } from "#generated/index.js";
import type { Finding } from "../../../base/findings/finding.js";
import type { Canonical } from "../canonical.js";
import { findRecords, isRecordFile } from "../records/find-records.js";
import { RecordTypes } from "../records/record-types.js";
import { compareFork, isWholeSchema, typeOf } from "../scan/compare-fork.js";
import type { Fork } from "../scan/find-likeness.js";
import { findForks, listScanned, MAX_SIZE, toUnread } from "../scan/forks.js";
import { type ForeignFile, toForeignFindings } from "../scan-holder.js";
import { createSearchFilter, type Tree } from "../trees/tree.js";
import { CodeSurvey } from "./code.js";
import { isSourceCode } from "./declared-types.js";

/** What a repository holds that resembles canonical schemas, generated code and records. */
export interface Survey {
  /** By kind, then by path. */
  readonly found: readonly FoundArtefact[];
  /** Number of files that were searched; those that git ignores are not. */
  readonly files: number;
  /** Warnings about files that were not read. */
  readonly findings: readonly Finding[];
}

const KINDS = ["schema", "generated", "types", "fixture"];

/** Searches the files of a repository, except those that git ignores. `check`: what `validate` finds in records. */
export function surveyTree(
  tree: Tree,
  canonical: Canonical,
  check?: (file: string, bytes: Buffer) => readonly Finding[],
): Survey {
  const isSearched = createSearchFilter(tree, []);
  const { forks, unread, files } = findForks(tree, listScanned(canonical), isSearched);
  const context = { canonical, types: new RecordTypes(canonical) };
  const code = new CodeSurvey(context);
  const records: FoundArtefact[] = [];
  const findings = unread.map(({ path, because }) => toUnread(tree.nameOf(path), because));
  const others: ForeignFile[] = [];
  const candidates = tree
    .files()
    .filter(({ path, size }) => size <= MAX_SIZE && isSearched(path))
    .filter(({ path }) => isSourceCode(path) || isRecordFile(path));
  for (const [path, bytes] of tree.readMany(candidates.map(({ path }) => path))) {
    if (bytes === undefined) continue;
    if (!isRecordFile(path)) {
      code.add(path, bytes);
      continue;
    }
    const { fixture, foreign } = findRecords(path, bytes, context);
    if (fixture !== undefined) {
      records.push({ ...fixture, ...(check && countFindings(check(tree.nameOf(path), bytes))) });
    } else if (foreign !== undefined) others.push({ file: tree.nameOf(path), ...foreign });
  }
  const originals = new Set(canonical.originalsIn(tree));
  const schemas = forks
    .filter(({ path }) => !originals.has(path))
    .map((fork) => toFoundSchema(fork, tree, canonical));
  const found = [...schemas, ...code.found, ...records].sort(
    (one, other) =>
      KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || (one.path < other.path ? -1 : 1),
  );
  return { found, files, findings: [...findings, ...toForeignFindings(others, canonical)] };
}

function countFindings(findings: readonly Finding[]): Pick<FoundArtefact, "errors" | "warnings"> {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: findings.length - errors };
}

function toFoundSchema(fork: Fork, tree: Tree, canonical: Canonical): FoundArtefact {
  const { path, schema, likeness } = fork;
  const compared = compareFork(fork, { tree, canonical });
  const entry = canonical.registry.schemas.find(({ name }) => name === schema);
  const isCopy = entry !== undefined && isWholeSchema(fork);
  const type = typeOf(fork);
  const similarity = compared?.similarity ?? likeness.whole;
  return {
    kind: "schema",
    path,
    schema,
    version: compared?.version ?? canonical.newest(schema)?.version ?? "0.0.0",
    ...(isCopy && { source: entry.file }),
    types: type === undefined ? [] : [{ name: type }],
    ...(compared && { grade: compared.grade }),
    ...(similarity > 0 && { similarity }),
    ...(compared && compared.grade !== "identical" && { difference: compared.outcome }),
  };
}
