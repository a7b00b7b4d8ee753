import { dirname } from "node:path/posix";
import type { Disagreement, DriftReport } from "#generated/index.js";
import type { Finding } from "../../base/findings/finding.js";
import type { Report } from "../../base/findings/report.js";
import { toFindingReport } from "../../base/reporters/json.js";
import { alignColumns, escapeControls, formatCount } from "../../base/text.js";
import type { CheckedCopy } from "../../contract/drift/copy.js";
import type { CheckedFork } from "../../contract/drift/repositories.js";
import { typeOf } from "../../contract/drift/scan/compare-fork.js";
import type { ScannedTree } from "../../contract/drift/scan/forks.js";
import { SKIPPED_FOLDERS } from "../../contract/drift/trees/tree.js";

type Copy = DriftResult["copies"][number];
type Fork = DriftResult["forks"][number];

/** A table of the copies and forks: repository, version, file and grade. */
export function describeCopies({ copies, forks, findings }: DriftResult): string {
  const names = new Set([...copies, ...forks].map(({ repository }) => repository));
  const rows = [...names].flatMap((name) => {
    const own = [
      ...fold(copies.filter(({ repository }) => repository === name)).map(toCopyCells),
      ...forks.filter(({ repository }) => repository === name).map(toForkCells),
    ];
    return own.map((cells, index) => [index === 0 ? name : "", ...cells]);
  });
  const lines = alignColumns(rows).map((line) => `${line}\n`);
  return lines.join("") + (lines.length > 0 && findings.length > 0 ? "\n" : "");
}

function toCopyCells({ copy: { version, path, grade }, files }: FoldedCopies): string[] {
  const place = files === 1 ? path : `${dirname(path)}/ (${formatCount(files, "file")})`;
  return [version, escapeControls(place), grade];
}

function toForkCells({ fork, compared, replayed }: Fork): string[] {
  const grade = compared === undefined ? "in a text" : compared.grade;
  const records = replayed?.records ?? 0;
  const rejects = replayed && replayed.rejected > 0 ? `, rejects ${replayed.rejected}` : "";
  const replay = records === 0 ? "nothing replayed" : `${formatCount(records, "record")} replayed`;
  const outcome = `unregistered fork, ${grade}; ${replay}${rejects}`;
  return [compared?.version ?? "", escapeControls(fork.path), outcome];
}

interface FoldedCopies {
  /** The first of the merged copies. */
  readonly copy: Copy;
  readonly files: number;
}

/** Merges the generated files of a folder with the same grade into one row, because there are many. */
function fold(copies: readonly Copy[]): FoldedCopies[] {
  const folded: FoldedCopies[] = [];
  for (const copy of copies) {
    const last = folded.at(-1);
    if (last !== undefined && isAlike(last.copy, copy)) {
      folded[folded.length - 1] = { ...last, files: last.files + 1 };
    } else folded.push({ copy, files: 1 });
  }
  return folded;
}

function isAlike(one: Copy, other: Copy): boolean {
  const keyOf = ({ repository, kind, version, path, grade }: Copy): string =>
    JSON.stringify([repository, kind, version, dirname(path), grade]);
  return one.kind === "generated" && keyOf(one) === keyOf(other);
}

/** Counts of scanned and examined files for the summary. */
export function describeScan({
  files,
  candidates,
  binary,
}: Pick<ScannedTree, "files" | "candidates" | "binary">): string[] {
  return [
    `${formatCount(files, "file")} scanned, without ${SKIPPED_FOLDERS.join(" and ")}`,
    `${formatCount(candidates, "file")} examined`,
    ...(binary > 0 ? [`${formatCount(binary, "binary file")}`] : []),
  ];
}

/** The object that `drift --format json` prints. */
export function toDriftReport(
  { copies, forks, disagreements }: DriftResult,
  report: Report,
): DriftReport {
  return {
    ...toFindingReport(report),
    copies: copies.map(({ repository, kind, schema, version, path, grade, is }) => ({
      repository,
      kind,
      schema,
      version,
      path,
      grade,
      ...(is !== undefined && { is }),
    })),
    forks: forks.map(toForkReport),
    ...(disagreements !== undefined && { disagreements }),
  };
}

function toForkReport({
  repository,
  fork,
  compared,
  replayed,
}: Fork): DriftReport["forks"][number] {
  const type = typeOf(fork);
  return {
    repository,
    path: fork.path,
    schema: fork.schema,
    ...(type !== undefined && { type }),
    ...(compared && { version: compared.version, grade: compared.grade }),
    ...(compared && { similarity: compared.similarity }),
    records: replayed?.records ?? 0,
    rejected: replayed?.rejected ?? 0,
  };
}

/** The result of one run of `drift`. */
export interface DriftResult {
  readonly copies: readonly (CheckedCopy & { readonly repository: string })[];
  readonly forks: readonly (CheckedFork & { readonly repository: string })[];
  /** Absent if fewer than two repositories were compared. */
  readonly disagreements?: Disagreement[];
  /** All findings, including those of the copies. */
  readonly findings: readonly Finding[];
  /** Summary counts of what was checked, in words. */
  readonly checked: readonly string[];
  /** Number of things checked. */
  readonly count: number;
  /** Number of those that were there to be looked at. */
  readonly looked: number;
  /** What was checked, in the singular. Default: `artefact`. */
  readonly thing?: string;
  /** Where the copies are, as the user named it. Default: the working folder. */
  readonly place?: string;
  /** Commands and other steps that correct the copies, in order. */
  readonly fixes: readonly string[];
  /** Whether something could not be checked. */
  readonly isIncomplete: boolean;
}

/** Where `drift` runs, and how strict it is. */
export interface DriftContext {
  readonly cwd: string;
  /** Whether an outdated copy is an error. */
  readonly latest: boolean;
  /** Starts the program again. */
  readonly program: string;
}
