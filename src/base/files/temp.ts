import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../user-error.js";
import { onEndingSignal } from "./ending-signals.js";
import { createOwnerTag, hasOwnerEnded, OWNER_TAG } from "./owners.js";
import { isOwn } from "./run-files.js";

export interface TempFolder {
  readonly path: string;
  /** Removes the folder and its contents. Always call it at the end. */
  remove(): void;
}

/**
 * Creates an empty folder in the system's temporary directory (`TMPDIR`). It is also removed if a signal ends
 * the process. What SIGKILL left there is removed by the next call of another process. Throws UserError (exit 3) if
 * the folder cannot be created.
 */
export function createTempFolder(): TempFolder {
  sweepTempFolders();
  const path = join(tmpdir(), `${PREFIX}${createOwnerTag()}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `cannot create a temporary folder: ${reason}; set TMPDIR to another folder`,
    );
  }
  const release = onEndingSignal(() => removeFolder(path));
  return {
    path,
    remove() {
      release();
      removeFolder(path);
    },
  };
}

const PREFIX = "rollout-wire-";
const FOLDER_NAME = new RegExp(`^${PREFIX}(${OWNER_TAG})$`);

/**
 * Removes the temporary folders of processes that have certainly ended. Others may write to the directory too, so the
 * folder must belong to the same user: nobody else can have put links into it.
 */
function sweepTempFolders(): void {
  for (const name of listNames(tmpdir())) {
    const tag = FOLDER_NAME.exec(name)?.[1];
    if (tag === undefined || hasOwnerEnded(tag) !== true) continue;
    const path = join(tmpdir(), name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && isOwn(found)) removeFolder(path);
  }
}

/** Empty if the folder cannot be listed: what remains in it takes space, but does no harm. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Only a temporary file remains. The user needs to see the error that ended the run.
  }
}
