import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { isFile, listFiles } from "./files.js";
import type { GeneratedFile } from "./target.js";

export type Difference =
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "unexpected"; readonly path: string }
  | {
      readonly kind: "differs";
      readonly path: string;
      /** First differing line on disk, 1-based. */
      readonly line: number;
      readonly patch: string;
    };

/** Compares `expected` with the files on disk, and the files below `root/folder` with `expected`. */
export function compareFiles(
  root: string,
  folder: string,
  expected: readonly GeneratedFile[],
): Difference[] {
  const unexpected = new Set(listFiles(root, folder));
  const differences: Difference[] = [];
  for (const { path, text } of expected) {
    unexpected.delete(path);
    if (!isFile(join(root, path))) {
      differences.push({ kind: "missing", path });
      continue;
    }
    const actual = readFileSync(join(root, path), "utf8");
    if (actual === text) continue;
    const line = findLine(actual, text);
    differences.push({ kind: "differs", path, line, patch: patch(path, actual, text) });
  }
  for (const path of unexpected) differences.push({ kind: "unexpected", path });
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A line of a file header that contains a schema hash, which changes in many files at once. */
const SCHEMA_LINE = /\bSchema: \S+ rfc8785-sha256:/;

/** The first line that differs by more than a schema's hash; if there is none, the first differing line. */
function findLine(actual: string, expected: string): number {
  const [lines, others] = [actual.split("\n"), expected.split("\n")];
  const differing = lines.flatMap((line, at) => (line === others[at] ? [] : [at + 1]));
  const telling = differing.find((number) => !SCHEMA_LINE.test(lines[number - 1] ?? ""));
  // A truncated file differs at its end.
  return telling ?? differing[0] ?? lines.length;
}

/** Maximum number of differing lines that are shown: the search takes quadratic time. */
const MAX_EDITS = 2000;

function patch(path: string, actual: string, expected: string): string {
  const printed = createTwoFilesPatch(path, path, actual, expected, "on disk", "regenerated", {
    context: 1,
    maxEditLength: MAX_EDITS,
  });
  return printed ?? `${path}: more than ${MAX_EDITS} lines differ`;
}
