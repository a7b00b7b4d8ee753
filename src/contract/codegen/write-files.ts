import { dirname, join } from "node:path";
import { type StagingOptions, withStaging } from "../../base/files/staging.js";
import { compareFiles, type Difference, requireRoom } from "./compare-files.js";
import type { Generation } from "./generate-files.js";

/**
 * Writes what a run printed, all of it or nothing, and removes generated files that a whole run no longer prints. Returns
 * what was different. Throws FileFault (`in-the-way`) if a file of others has the place of one, before anything is written,
 * and UserError (exit 3) if a file cannot be written.
 */
export async function writeGenerated(
  generation: Generation,
  options: StagingOptions = {},
): Promise<readonly Difference[]> {
  const differences = compareFiles(generation);
  requireRoom(generation, differences);
  if (differences.length === 0) return differences;
  const { root, files } = generation;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  await withStaging(options, async (staging) => {
    staging.makeFolders([...new Set(differences.map(({ path }) => dirname(join(root, path))))]);
    for (const { path } of differences) {
      const text = texts.get(path);
      if (text === undefined) await staging.remove(join(root, path));
      else await staging.write(join(root, path), [text]);
    }
    await staging.commit();
  });
  return differences;
}
