import { Option } from "commander";
import type { Command } from "../command.js";
import { findingOptions, registryOption } from "../options.js";

/** Copies artefacts into other repositories. Prints the changes on stdout and the next steps on stderr. */
export const command: Command = {
  options: [
    new Option(
      "-r, --repo <[name=]folder...>",
      "repositories; the configuration or the lock of a folder names it (default: this folder)",
    ),
    new Option("-n, --dry-run", "print the changes without writing them"),
    new Option("--force", "overwrite copies that are ahead or were modified"),
    new Option("--prune", "remove copies that are no longer in the registry"),
    registryOption,
    ...findingOptions,
  ],
  examples: [
    "sync",
    "sync --repo trace-pipeline=../trace-pipeline --dry-run",
    "sync --repo trace-pipeline=../trace-pipeline",
    "sync --repo wasmagent-js=../wasmagent-js bscode=../bscode --prune",
    "sync --repo trace-pipeline=. --format github",
  ],
  async run(input, context) {
    // Lazy, because Ajv is large and most other commands do not need it.
    const { runSync } = await import("../sync/run.js");
    return await runSync(input, context);
  },
};
