import { EXIT, UserError } from "../../base/user-error.js";
import type { Command, CommandContext, CommandInput } from "../command.js";
import { parseArguments } from "../parse.js";
import type { Calls } from "../worker/calls.js";
import { serve } from "../worker/serve.js";
import { writeTasks } from "../worker/tasks.js";
import { exportCommand, runExport } from "./export.js";
import { outlineOf } from "./outlines.js";

/** Runs other commands for an engine such as Spark, which starts this program once for many of them. */
export const worker: Command = {
  ...outlineOf("worker"),
  options: [],
  examples: ["worker"],
  run: (_input, context, run) => serve(context, run, exportCalls),
};

/** Calls that take the command line of an export, of one of several partitions. */
const exportCalls: Calls = new Map([
  ["tasks", async (argv, context) => await writeTasks(parseExport(argv, context).options, context)],
  // A partition without valid records is no error, as a shard is not.
  [
    "export-partition",
    async (argv, context) => await runExport(parseExport(argv, context), context, true),
  ],
]);

/** Throws UserError (exit 2) for a command line that is wrong, or asks for help. */
function parseExport(argv: readonly string[], context: CommandContext): CommandInput {
  const invocation = parseArguments(argv, exportCommand, context);
  if (invocation !== undefined) return invocation.input;
  throw new UserError(`${argv.join(" ")}: a partition cannot be exported with it`, EXIT.usage);
}
