import { Option } from "commander";
import type { Command } from "../command.js";
import { findingOptions } from "../options.js";

/** Checks whether the copies of the schemas in other repositories still equal their originals. */
export const drift: Command = {
  name: "drift",
  summary: "whether copies are still what they were copied from",
  options: [
    new Option(
      "--repo <name=place...>",
      "a repository of the registry: a folder, <folder>#<git ref>, or a git url with or without #<ref>",
    ),
    new Option(
      "--scan <dir>",
      "look in a folder for unregistered copies and forks, whatever they are called",
    ).conflicts("repo"),
    new Option("--latest", "a copy that is pinned at a version before the latest is an error"),
    ...findingOptions,
  ],
  examples: [
    "drift",
    "drift --repo wasmagent-js=../wasmagent-js --repo trace-pipeline=../trace-pipeline#main",
    "drift --repo trace-pipeline=https://git.example/trace-pipeline.git#v2 --latest",
    "drift --scan ../bscode",
  ],
  async run(input, context) {
    // Lazy, because Ajv is large and most other commands do not need it.
    const { runDrift } = await import("../drift/run.js");
    return runDrift(input, context);
  },
};
