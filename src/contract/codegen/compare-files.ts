import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createTwoFilesPatch } from "diff";
import { type FaultPlace, throwFaults } from "../../base/findings/finding.js";
import { readSources } from "./file-header.js";
import { isFile, isGeneratedFile, listFiles } from "./files.js";
import type { Generation } from "./generate-files.js";

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

/**
 * Compares printed files with those on disk, and the generated files in the folders of the run with what it printed. Files
 * of others in these folders are left alone, and so is code of schemas that this run was not given.
 */
export function compareFiles(generation: Generation): Difference[] {
  const { root, files } = generation;
  const unexpected = new Set(listOutdated(generation));
  const differences: Difference[] = [];
  for (const { path, text } of files) {
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

/** Generated files in the folders of a run that it may remove. */
function listOutdated(generation: Generation): string[] {
  const { root, folders, scope } = generation;
  if (scope === "some") return [];
  const found = folders.flatMap((folder) => listFiles(root, folder));
  const generated = found.filter((path) => isGeneratedFile(join(root, path)));
  if (scope === "all") return generated;
  return generated.filter((path) => findOther(generation, path) === undefined);
}

/** A schema that code on disk was generated from, and that is still there, but not part of this run. */
function findOther({ root, schemas }: Generation, path: string): string | undefined {
  const given = new Set(schemas.map(({ file }) => file));
  const named = readSources(readFileSync(join(root, path), "utf8"));
  return named.find((file) => !given.has(file) && existsSync(resolve(root, file)));
}

/**
 * Throws FileFault (`in-the-way`) if something that was not generated has the place of a file that differs, or code of
 * another schema has.
 */
export function requireRoom(generation: Generation, differences: readonly Difference[]): void {
  const { root, files, scope } = generation;
  const updated = new Set(files.flatMap(({ path, isUpdate }) => (isUpdate ? [path] : [])));
  const inTheWay = differences.flatMap(({ path }): FaultPlace[] => {
    const file = join(root, path);
    const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    if (!isThere || updated.has(path)) return [];
    if (!isGeneratedFile(file)) return [toFault(path, NOT_OURS)];
    const other = scope === "given" ? findOther(generation, path) : undefined;
    if (other === undefined) return [];
    const message = `has the code of ${other} too: name all schemas of this folder, or choose another one`;
    return [toFault(path, message)];
  });
  throwFaults(inTheWay);
}

const NOT_OURS =
  "is in the way: it was not generated, so it is left alone: move it, or choose another folder";

function toFault(file: string, message: string): FaultPlace {
  return { id: "in-the-way", file, message };
}

/** A line of a file header that contains a schema hash, which changes in many files at once. */
const SCHEMA_LINE = /\bSchema: .*sha256:/;

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
