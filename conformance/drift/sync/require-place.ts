import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../../../src/files/source.js";
import { escapeControls } from "../../../src/text.js";
import { UserError } from "../../../src/user-error.js";

/**
 * Makes sure that a file of its own is, or can be, at `path` below the folder `root`, which the user calls `name`.
 * Throws UserError (exit 3) for a symbolic link there or on the way, which may lead out of the folder, for a folder
 * in its place, for a file in the place of a folder, and where nobody may look.
 */
export function requirePlace(root: string, path: string, name: string): void {
  const parts = path.split("/");
  for (const [index] of parts.entries()) {
    const part = parts.slice(0, index + 1).join("/");
    const found = look(join(root, part), join(name, part));
    if (found === undefined) return;
    const fault = findFault(found, part === path ? "file" : "folder");
    if (fault !== undefined) throw new UserError(`${escapeControls(join(name, part))}: ${fault}`);
  }
}

function look(path: string, name: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toReadError(name, error);
  }
}

function findFault(found: Stats, wanted: "file" | "folder"): string | undefined {
  if (found.isSymbolicLink()) {
    return `is a symbolic link, and nothing is written through links: put a ${wanted} in its place`;
  }
  if (wanted === "folder") {
    return found.isDirectory() ? undefined : "is a file, and a folder is to be there: move it away";
  }
  if (found.isDirectory()) return "is a folder, and a file is to be there: move it away";
  return found.isFile() ? undefined : "is no regular file: move it away";
}
