import { Option } from "commander";
import type { Command } from "../command.js";
import { findingOptions, registryOption } from "../options.js";

/** Copies artefacts into other repositories. Prints the changes on stdout and the next steps on stderr. */
export const command: Command = {
  options: [
    new Option(
      "-r, --repo <[name=]folder...>",
      "repositories, each with a configuration (default: this folder)",
    ),
    new Option("-n, --dry-run", "print the changes without writing them"),
    new Option("--force", "overwrite copies that are ahead or were modified"),
    new Option(
      "--adopt",
      "replace forks that the configuration lists, if the originals accept your records",
    ),
    new Option("--prune", "remove copies that are no longer in the configuration"),
    registryOption,
    ...findingOptions,
  ],
  examples: [
    "sync",
    "sync --adopt",
    "sync --repo trace-pipeline=../trace-pipeline --dry-run",
    "sync --repo trace-pipeline=../trace-pipeline",
    "sync --repo wasmagent-js=../wasmagent-js bscode=../bscode --prune",
    "sync --repo trace-pipeline=. --format github",
  ],
  // Lazy, because Ajv is large, and help and completion do not need it.
  run: async (input, context) => (await import("../sync/run.js")).runSync(input, context),
};
