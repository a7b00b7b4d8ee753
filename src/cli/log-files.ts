import { EXIT, UserError } from "../base/user-error.js";
import type { CommandContext } from "./command.js";

type Context = Pick<CommandContext, "stdin" | "cwd" | "program">;

/** Says of a log that `import` reads what it is; see `describeLog`. */
export function refuseLog(
  context: Context,
  rows = false,
): (file: string) => Promise<string | undefined> {
  return async (file) => {
    // Lazy, because most files are no logs, and forms are many.
    const { describeLog } = await import("../rollouts/pipeline/import/describe-log.js");
    return await describeLog(file, context, { program: context.program, rows });
  };
}

/** Throws UserError (exit 3) if one of the files is a log that `import` reads. */
export async function requireNoLogs(files: readonly string[], context: Context): Promise<void> {
  const refuse = refuseLog(context);
  for (const file of files) {
    const why = await refuse(file);
    if (why !== undefined) throw new UserError(`${file}: ${why}`, EXIT.unreadable);
  }
}
