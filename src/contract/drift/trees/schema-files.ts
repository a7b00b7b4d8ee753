import type { SchemaFiles } from "../../compat/schema/schema-files.js";
import type { Tree } from "./tree.js";

/** The files to which the schema at `path` may refer by their paths. A reference must not lead out of the repository. */
export function toSchemaFiles(tree: Tree, path: string): SchemaFiles {
  const read = (file: string): string | undefined =>
    file.startsWith("../") ? undefined : tree.read(file)?.toString("utf8");
  return { path, roots: [], read };
}
