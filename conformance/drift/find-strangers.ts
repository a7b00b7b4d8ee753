import { createFinding } from "../../src/findings/finding.js";
import type { Canonical } from "./canonical.js";
import type { CheckedCopy } from "./checked-copy.js";
import type { Tree } from "./trees/tree.js";

/** What Python makes of modules when it runs them. */
const COMPILED = /(^|\/)__pycache__\//;

/**
 * Files in a folder that is a copy as a whole, which the original does not have; `known` are paths of its copies, or
 * the folder itself where nobody knows what it is to hold.
 */
export function findStrangers(
  repository: string,
  known: ReadonlySet<string>,
  { canonical, tree }: { readonly canonical: Canonical; readonly tree: Tree },
): CheckedCopy[] {
  return canonical
    .foldersOf(repository)
    .filter(({ path }) => !known.has(path))
    .flatMap(({ kind, schema, version, path: folder, source }) =>
      tree
        .files(folder)
        .filter(({ path }) => !known.has(path) && !COMPILED.test(path))
        .map(({ path }): CheckedCopy => {
          const message = `is no copy of anything: ${source} has no such file`;
          const finding = createFinding({ id: "unexpected", file: tree.nameOf(path), message });
          return { kind, schema, version, path, grade: "unexpected", findings: [finding] };
        }),
    );
}
