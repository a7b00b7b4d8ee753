import { join } from "node:path";
import type { Config } from "#generated/index.js";
import { withStaging } from "../../base/files/staging.js";
import { CONFIG_FILE } from "../../base/package.js";
import type { CommandContext } from "../../cli/command.js";
import { reportRecovery } from "../../cli/output.js";

/** Writes the configuration of the repository in `folder` atomically. Throws UserError (exit 3) if it cannot. */
export async function writeConfig(
  config: Config,
  folder: string,
  context: Pick<CommandContext, "stderr">,
): Promise<void> {
  await withStaging(reportRecovery(context), async (staging) => {
    const file = await staging.open(join(folder, CONFIG_FILE));
    await file.write(`${JSON.stringify(config, null, 2)}\n`);
    await staging.commit();
  });
}
