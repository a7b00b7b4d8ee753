import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../user-error.js";
import { onEndingSignal } from "./on-ending-signal.js";

export interface TempFolder {
  readonly path: string;
  /** Removes the folder with all that is in it; to be called in any case. */
  remove(): void;
}

/**
 * An empty folder where the system keeps temporary files (`TMPDIR`), which is gone too when a signal
 * ends the process. Throws UserError (exit 3) when it cannot be made.
 */
export function createTempFolder(): TempFolder {
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), "rollout-wire-"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`no temporary folder: ${reason}; TMPDIR names another place`);
  }
  const removeFolder = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It is only a temporary file that stays; what ended the run is what the user has to hear.
    }
  };
  const release = onEndingSignal(removeFolder);
  return {
    path,
    remove() {
      release();
      removeFolder();
    },
  };
}
