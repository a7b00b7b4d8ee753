import { join } from "node:path";
import type { Config } from "#generated/index.js";
import { type StagingOptions, withStaging } from "../../base/files/staging.js";
import { CONFIG_FILE } from "../../base/package.js";

/** Writes the configuration of the repository in `folder` atomically. Throws UserError (exit 3) if it cannot. */
export async function writeConfig(
  config: Config,
  folder: string,
  options: StagingOptions = {},
): Promise<void> {
  await withStaging(options, async (staging) => {
    const file = await staging.open(join(folder, CONFIG_FILE));
    await file.write(`${JSON.stringify(config, null, 2)}\n`);
    await staging.commit();
  });
}
