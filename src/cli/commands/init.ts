import { Option } from "commander";
import type { Command } from "../command.js";
import { findingOptions, registryOption } from "../options.js";

/** Prints what was found and the proposed configuration on stdout, and the next steps on stderr. */
export const command: Command = {
  options: [
    new Option("--write", "write the configuration to the folder"),
    new Option(
      "--name <name>",
      "name of the repository (default: that of its lock, its git remote or its folder)",
    ),
    registryOption,
    ...findingOptions,
  ],
  examples: ["init", "init --write", "init ../trace-pipeline --name trace-pipeline"],
  // Lazy, because Ajv is large, and help and completion do not need it.
  run: async (input, context) => (await import("../init/run.js")).runInit(input, context),
};
