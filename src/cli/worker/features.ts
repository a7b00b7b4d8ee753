import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { isTargetId, targets } from "../../rollouts/wire/export/targets/index.js";
import type { CommandContext } from "../command.js";

/** Writes the features of each kind of record of a target, as JSON. Throws UserError (exit 2) for an unknown target. */
export async function writeFeatures(
  [target = ""]: readonly string[],
  { stdout }: Pick<CommandContext, "stdout">,
): Promise<ExitCode> {
  if (!isTargetId(target)) {
    throw new UserError(`no export target is called ${JSON.stringify(target)}`, EXIT.usage);
  }
  stdout.write(JSON.stringify(targets[target].features));
  return EXIT.ok;
}
