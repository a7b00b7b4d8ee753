import { EXIT, UserError } from "../../base/user-error.js";
import { isTargetId, targets } from "../../rollouts/wire/export/targets/index.js";
import type { Command, CommandContext, CommandEntry, CommandInput, Runner } from "../command.js";
import { parseArguments } from "../parse.js";
import { createProgram } from "../run.js";
import { writeKeys } from "../worker/keys.js";
import { mergePartitions } from "../worker/merge-partitions.js";
import { serve } from "../worker/serve.js";
import { addTaskCounts, writeTasks } from "../worker/tasks.js";
import { exportPartition } from "./export.js";

/** Runs `commands` for an engine such as Spark, which starts this program once for many of them. */
export function createWorker(commands: readonly CommandEntry[]): { readonly command: Command } {
  /** Throws UserError (exit 2) for a command line that is wrong, asks for help, or is of another command. */
  const parseExport = async (
    argv: readonly string[],
    context: CommandContext,
  ): Promise<CommandInput> => {
    const invocation = await parseArguments(argv, commands, context);
    if (invocation?.command.name === "export") return invocation.input;
    throw new UserError(`${argv.join(" ")}: a partition cannot be exported with it`, EXIT.usage);
  };
  const calls = Object.entries<Runner>({
    keys: writeKeys,
    tasks: async (argv, context) => writeTasks((await parseExport(argv, context)).options, context),
    "add-task-counts": addTaskCounts,
    // A partition without valid records is no error, as a shard is not.
    "export-partition": async (argv, context) =>
      exportPartition.run(await parseExport(argv, context), context),
    "merge-reports": mergePartitions,
    async features([target = ""], { stdout }) {
      if (!isTargetId(target)) {
        throw new UserError(`no export target is called ${JSON.stringify(target)}`, EXIT.usage);
      }
      stdout.write(JSON.stringify(targets[target].features));
      return EXIT.ok;
    },
  });
  const command: Command = {
    options: [],
    examples: ["worker"],
    run: (_input, context) => serve(context, createProgram(commands), new Map(calls)),
  };
  return { command };
}
