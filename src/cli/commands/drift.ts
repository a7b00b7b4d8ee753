import { Option } from "commander";
import type { Command } from "../command.js";
import { expiresOption, fetchOption, findingOptions, registryOption } from "../options.js";

/** Checks whether the copies of the schemas in other repositories still equal their originals. */
export const command: Command = {
  options: [
    new Option(
      "-r, --repo <name=place...>",
      "repositories: a folder, <folder>#<git ref>, or a git URL with an optional #<ref> (default: this folder)",
    ),
    new Option(
      "--scan <dir>",
      "search a folder for unregistered copies and forks, under any name",
    ).conflicts("repo"),
    registryOption,
    fetchOption,
    new Option(
      "--explain <file[:line]>",
      "show which lines of a copy, a fork or a record differ, on both sides, and what to do",
    ).conflicts(["scan", "accept"]),
    new Option("--latest", "treat copies of older versions as errors"),
    new Option(
      "--accept <reason>",
      "enter the findings about this folder in the baseline of its configuration",
    ).conflicts(["repo", "scan"]),
    expiresOption,
    ...findingOptions,
  ],
  examples: [
    "drift",
    "drift --repo wasmagent-js=../wasmagent-js --repo trace-pipeline=../trace-pipeline#main",
    "drift --repo trace-pipeline=https://git.example/trace-pipeline.git#v2 --latest",
    "drift --scan ../bscode",
    "drift --explain schemas/rollout-wire.schema.json",
    "drift --explain fixtures/rollouts.jsonl:12 --repo trace-pipeline=../trace-pipeline",
    'drift --accept "the fork goes with release 3" --expires 2027-03-31',
  ],
  // Lazy, because Ajv is large, and help and completion do not need it.
  run: async (input, context) => (await import("../drift/run.js")).runDrift(input, context),
};
