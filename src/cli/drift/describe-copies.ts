import { dirname } from "node:path/posix";
import { escapeControls, formatCount } from "../../text.js";
import type { DriftResult } from "./drift-result.js";

type Copy = DriftResult["copies"][number];

/** A table of the copies: repository, version at which it is pinned, file and grade. */
export function describeCopies({ copies, findings }: DriftResult): string {
  const rows = fold(copies).map(({ copy, files }, index, all) => {
    const { repository, version, path, grade } = copy;
    const isFirst = all[index - 1]?.copy.repository !== repository;
    const place = files === 1 ? path : `${dirname(path)}/ (${formatCount(files, "file")})`;
    return [isFirst ? repository : "", version, escapeControls(place), grade] as const;
  });
  const widthOf = (column: 0 | 1 | 2): number =>
    rows.reduce((widest, row) => Math.max(widest, row[column].length), 0);
  const [name, version, path] = [widthOf(0), widthOf(1), widthOf(2)];
  const lines = rows.map(
    (row) =>
      `${row[0].padEnd(name)}  ${row[1].padEnd(version)}  ${row[2].padEnd(path)}  ${row[3]}\n`,
  );
  return lines.join("") + (lines.length > 0 && findings.length > 0 ? "\n" : "");
}

interface FoldedCopies {
  /** The first of them. */
  readonly copy: Copy;
  readonly files: number;
}

/** Generated files of one folder that have one grade are one row: there are many of them. */
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
