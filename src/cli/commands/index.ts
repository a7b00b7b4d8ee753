import type { Command } from "../command.js";
import { type CommandName, isCommandName } from "./outlines.js";

/** All commands by name. A command loads its modules only when it runs. */
const loaders = {
  validate: async () => (await import("./validate.js")).validate,
  import: async () => (await import("./import.js")).importCommand,
  rank: async () => (await import("./rank.js")).rank,
  export: async () => (await import("./export.js")).exportCommand,
  decontaminate: async () => (await import("./decontaminate.js")).decontaminate,
  partition: async () => (await import("./partition.js")).partition,
  merge: async () => (await import("./merge.js")).merge,
  show: async () => (await import("./show.js")).show,
  stats: async () => (await import("./stats.js")).stats,
  report: async () => (await import("./report.js")).report,
  redact: async () => (await import("./redact.js")).redact,
  migrate: async () => (await import("./migrate.js")).migrate,
  check: async () => (await import("./check.js")).check,
  diff: async () => (await import("./diff.js")).diff,
  changelog: async () => (await import("./changelog.js")).changelog,
  init: async () => (await import("./init.js")).init,
  drift: async () => (await import("./drift.js")).drift,
  sync: async () => (await import("./sync.js")).sync,
  worker: async () => (await import("./worker.js")).worker,
  completion: async () => (await import("./completion.js")).createCompletion(loadCommands),
} satisfies Record<CommandName, () => Promise<Command>>;

/** Loads all commands. */
export async function loadCommands(): Promise<readonly Command[]> {
  return await Promise.all(Object.values(loaders).map((load) => load()));
}

/** Loads the command that a command line runs, or asks help for. Undefined if it names none. */
export async function loadCommand([first = "", second = ""]: readonly string[]): Promise<
  Command | undefined
> {
  const name = first === "help" ? second : first;
  return isCommandName(name) ? await loaders[name]() : undefined;
}
