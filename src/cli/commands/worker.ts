import { EXIT, UserError } from "../../base/user-error.js";
import type { Command, CommandContext, CommandEntry, CommandInput } from "../command.js";
import { parseArguments } from "../parse.js";
import { createProgram } from "../run.js";
import type { Calls } from "../worker/calls.js";
import { serve } from "../worker/serve.js";
import { writeTasks } from "../worker/tasks.js";
import { runExport } from "./export.js";

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
  /** Calls that take the command line of an export, of one of several partitions. */
  const exportCalls: Calls = new Map([
    [
      "tasks",
      async (argv, context) => await writeTasks((await parseExport(argv, context)).options, context),
    ],
    // A partition without valid records is no error, as a shard is not.
    [
      "export-partition",
      async (argv, context) => await runExport(await parseExport(argv, context), context, true),
    ],
  ]);
  const command: Command = {
    options: [],
    examples: ["worker"],
    run: (_input, context) => serve(context, createProgram(commands), exportCalls),
  };
  return { command };
}
