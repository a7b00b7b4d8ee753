import type { Command } from "../command.js";

/** Every command by its name, in the order of `--help`. A command loads its modules only when it is run. */
const loaders = {
  validate: async () => (await import("./validate.js")).validate,
  import: async () => (await import("./import.js")).importCommand,
  rank: async () => (await import("./rank.js")).rank,
  export: async () => (await import("./export.js")).exportCommand,
  check: async () => (await import("./check.js")).check,
  diff: async () => (await import("./diff.js")).diff,
  drift: async () => (await import("./drift.js")).drift,
  sync: async () => (await import("./sync.js")).sync,
} satisfies Record<string, () => Promise<Command>>;

function isCommandName(name: string): name is keyof typeof loaders {
  return Object.hasOwn(loaders, name);
}

/** The command that a command line names first, alone; else every command, for help and for mistakes. */
export async function loadCommands([first = ""]: readonly string[]): Promise<readonly Command[]> {
  if (isCommandName(first)) return [await loaders[first]()];
  return await Promise.all(Object.values(loaders).map((load) => load()));
}
