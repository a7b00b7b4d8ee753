import { availableParallelism } from "node:os";
import { Option } from "commander";
import type { FindingLimits } from "../findings/finding-list.js";
import { reporters } from "../reporters/index.js";
import { DEFAULT_WEIGHTS } from "../scoring/score.js";
import { EXIT, UserError } from "../user-error.js";
import type { OptionValues } from "./option-values.js";
import { parseCount } from "./parse-count.js";
import { parseWeights } from "./parse-weights.js";

/** Findings that are listed unless `--max-errors` says otherwise. */
export const DEFAULT_MAX_ERRORS = 100;

/** Options that mean the same to every command that has findings. */
export const findingOptions: readonly Option[] = [
  new Option("--format <name>", "how findings are printed")
    .choices(reporters.map(({ id }) => id))
    .default(reporters[0]?.id),
  new Option("--max-errors <n>", "list at most n errors and n warnings, and count the rest")
    .argParser(parseCount)
    .default(DEFAULT_MAX_ERRORS),
  new Option("--max-warnings <n>", "count every warning after the n-th as an error").argParser(
    parseCount,
  ),
];

/** What `findingOptions` say of how many findings are listed and allowed. */
export function readFindingLimits(options: OptionValues): FindingLimits {
  return {
    maxErrors: options.count("maxErrors"),
    maxWarnings: options.optionalCount("maxWarnings"),
  };
}

/** Weights by which branches are, or were, scored. */
export const weightsOption: Option = new Option(
  "--weights <weights>",
  "weights of the score's parts",
)
  .argParser(parseWeights)
  .default(
    DEFAULT_WEIGHTS,
    `objective=${DEFAULT_WEIGHTS.objective},judge=${DEFAULT_WEIGHTS.judge}`,
  );

/** Beyond it threads cost more memory than they save time. */
const MAX_WORKERS = 256;

export const workersOption: Option = new Option("--workers <n>", "threads")
  .argParser(parseCount)
  .default(availableParallelism(), "one per core");

/** Value of `workersOption`. Throws UserError (exit 2) for 0. */
export function readWorkers(options: OptionValues): number {
  const workers = options.count("workers");
  if (workers < 1 || workers > MAX_WORKERS) {
    throw new UserError(`--workers must be from 1 to ${MAX_WORKERS}`, EXIT.usage);
  }
  return workers;
}
