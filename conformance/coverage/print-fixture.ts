import type { DerivedFixture } from "./create-fixture.js";
import { splitFailure } from "./find-failures.js";

/** A fixture as it lies on disk. */
export interface PrintedFixture {
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** Prints a derived fixture under the shortest of its names that `isTaken` does not refuse. */
export function printFixture(
  { type, kind, names, why, record, failures }: DerivedFixture,
  isTaken: (file: string) => boolean,
): PrintedFixture {
  const expect = [...failures].toSorted().map((failure) => {
    const [pointer, keyword] = splitFailure(failure);
    return { pointer, keyword };
  });
  const toFile = (name: string): string => `fixtures/${kind}/${type}/${name}.json`;
  const value = { why, record, ...(kind === "invalid" && { expect }) };
  return { file: findFree(names, toFile, isTaken), text: printJson(value) };
}

/** The file of the first name that is free; when none is, that of the last one with a number. */
function findFree(
  names: readonly string[],
  toFile: (name: string) => string,
  isTaken: (file: string) => boolean,
): string {
  const free = names.map(toFile).find((file) => !isTaken(file));
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) {
    const file = toFile(`${names.at(-1)}-${count}`);
    if (!isTaken(file)) return file;
  }
}

/** JSON as the formatter leaves it: a list of plain values on one line where it fits. */
function printJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const joined = text.replace(/^.*\[\n[^[\]{}]*\n *\],?$/gm, (list) => {
    const line = list
      .replace(/\[\n */, "[")
      .replace(/\n *\]/, "]")
      .replace(/\n */g, " ");
    return line.length <= 100 ? line : list;
  });
  return `${joined}\n`;
}
