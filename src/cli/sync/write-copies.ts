import { dirname } from "node:path";
import { type MadeFolders, makeFolders } from "../../files/folders.js";
import { stageFiles } from "../../files/staging.js";

/** What is done to the files of repositories; absolute paths. */
export interface CopyChanges {
  /** In this order they come into place. */
  readonly written: readonly { readonly path: string; readonly content: string | Uint8Array }[];
  readonly removed: readonly string[];
}

/**
 * Writes and removes files, all or none: see `stageFiles`. Folders that are missing are made, and are gone again
 * when nothing comes into them. Throws UserError (exit 3) when a file cannot be written.
 */
export async function writeCopies({ written, removed }: CopyChanges): Promise<void> {
  const staging = stageFiles();
  let folders: MadeFolders | undefined;
  try {
    folders = makeFolders(written.map(({ path }) => dirname(path)));
    for (const path of removed) (await staging.open(path)).omit();
    for (const { path, content } of written) {
      const file = await staging.open(path);
      await file.write(content);
    }
    await staging.commit();
  } finally {
    await staging.close().finally(() => folders?.removeEmpty());
  }
}
