import { Option } from "commander";
import type { Command } from "../command.js";
import { findingOptions, registryOption } from "../options.js";

/** Checks whether the copies of the schemas in other repositories still equal their originals. */
export const command: Command = {
  options: [
    new Option(
      "-r, --repo <name=place...>",
      "repository of the registry: a folder, <folder>#<git ref>, or a git URL with an optional #<ref>",
    ),
    new Option(
      "--scan <dir>",
      "search a folder for unregistered copies and forks, under any name",
    ).conflicts("repo"),
    registryOption,
    new Option("--latest", "treat copies of older versions as errors"),
    new Option(
      "--accept <reason>",
      "enter the findings about this folder in the baseline of its configuration",
    ).conflicts(["repo", "scan"]),
    new Option("--expires <date>", "last day of --accept, as YYYY-MM-DD (default: in 90 days)"),
    ...findingOptions,
  ],
  examples: [
    "drift",
    "drift --repo wasmagent-js=../wasmagent-js --repo trace-pipeline=../trace-pipeline#main",
    "drift --repo trace-pipeline=https://git.example/trace-pipeline.git#v2 --latest",
    "drift --scan ../bscode",
    'drift --accept "the fork goes with release 3" --expires 2027-03-31',
  ],
  // Lazy, because Ajv is large, and help and completion do not need it.
  run: async (input, context) => (await import("../drift/run.js")).runDrift(input, context),
};
