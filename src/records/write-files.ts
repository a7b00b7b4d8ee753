import { stageFiles } from "./stage-files.js";

export interface FileToWrite {
  /** Absolute; its folder exists. */
  readonly path: string;
  /** The text, in pieces. */
  readonly chunks: Iterable<string>;
}

/**
 * Writes files all or none: see `stageFiles`. Throws UserError (exit 3) when a file cannot be written,
 * and whatever `chunks` throw.
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  const staging = stageFiles();
  try {
    for (const { path, chunks } of files) {
      const file = await staging.open(path);
      for (const chunk of chunks) await file.write(chunk);
    }
    await staging.commit();
  } finally {
    await staging.close();
  }
}
