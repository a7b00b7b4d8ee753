import type { Command } from "../command.js";

/** All commands by name, in the order of `--help`. A command loads its modules only when it runs. */
const loaders = {
  validate: async () => (await import("./validate.js")).validate,
  import: async () => (await import("./import.js")).importCommand,
  rank: async () => (await import("./rank.js")).rank,
  export: async () => (await import("./export.js")).exportCommand,
  redact: async () => (await import("./redact.js")).redact,
  migrate: async () => (await import("./migrate.js")).migrate,
  check: async () => (await import("./check.js")).check,
  diff: async () => (await import("./diff.js")).diff,
  changelog: async () => (await import("./changelog.js")).changelog,
  init: async () => (await import("./init.js")).init,
  drift: async () => (await import("./drift.js")).drift,
  sync: async () => (await import("./sync.js")).sync,
} satisfies Record<string, () => Promise<Command>>;

function isCommandName(name: string): name is keyof typeof loaders {
  return Object.hasOwn(loaders, name);
}

/**
 * Loads the command that a command line names first. If it names none, loads all commands, for help and error
 * messages.
 */
export async function loadCommands([first = ""]: readonly string[]): Promise<readonly Command[]> {
  if (isCommandName(first)) return [await loaders[first]()];
  return await Promise.all(Object.values(loaders).map((load) => load()));
}
