import type { FormatUse } from "#generated/index.js";
import { memoize } from "../../../base/memoize.js";
import { UserError } from "../../../base/user-error.js";
import type { SchemaFiles } from "../../compat/schema/schema-files.js";
import { FormatUses } from "../../schemas/format-use.js";
import type { Tree } from "./tree.js";

/** The files to which the schema at `path` may refer by their paths. A reference must not lead out of the repository. */
export function toSchemaFiles(tree: Tree, path: string): SchemaFiles {
  const read = (file: string): string | undefined =>
    file.startsWith("../") ? undefined : tree.read(file)?.toString("utf8");
  return { path, roots: [], read };
}

/** Of each tree, once. A configuration that cannot be read has a finding of its own. */
const usesIn = memoize((tree: Tree) => {
  return new FormatUses((path) => {
    try {
      return tree.read(path)?.toString("utf8");
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  });
});

/** Whether `format` is asserted in the schema at `path`. */
export function formatUseIn(tree: Tree, path: string): FormatUse {
  return usesIn(tree).of(path);
}
