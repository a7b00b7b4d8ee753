import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { readRegistry } from "../../schemas/registry.js";
import { listReferableTexts } from "../../schemas/schema-id.js";

/** The usual ending of a schema's file. */
export const ENDING = ".schema.json";

/** Folders and files that contain no schemas of a repository's own. */
const IGNORED = /(^|\/)(node_modules|\.git)\/|(^|\/)(package|package-lock|tsconfig)\.json$/;

/** The files that may be schemas, those with the usual ending first. */
export function chooseBeside(files: readonly string[]): string[] {
  const candidates = files.filter((file) => file.endsWith(".json") && !IGNORED.test(file));
  const isUsual = (file: string): boolean => file.endsWith(ENDING);
  return [...candidates.filter(isUsual), ...candidates.filter((file) => !isUsual(file))];
}

/** The schemas of this package, current and published, to which a standalone schema may refer. */
export function readOwnTexts(): string[] {
  const root = packageRoot();
  return listReferableTexts(readRegistry(root).schemas, (file) =>
    readFileSync(join(root, file), "utf8"),
  );
}
