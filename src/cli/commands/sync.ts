import { Option } from "commander";
import type { Command } from "../command.js";
import { findingOptions } from "../options.js";

/** Copies artefacts into other repositories. Prints the changes on stdout and the next steps on stderr. */
export const sync: Command = {
  name: "sync",
  summary: "brings a repository's copies up to date, all or none, and locks them",
  options: [
    new Option(
      "--repo <name=folder...>",
      "repositories of the registry, and where they lie",
    ).makeOptionMandatory(),
    new Option("--dry-run", "print what would be done, and write nothing"),
    new Option("--force", "overwrite copies that are ahead or were modified"),
    new Option("--prune", "remove copies that the registry does not have any more"),
    new Option(
      "--root <dir>",
      "checkout to copy from; by default the one, or the package, that this program belongs to",
    ),
    ...findingOptions,
  ],
  examples: [
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
