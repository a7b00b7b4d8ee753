import { OptionValues } from "../../src/cli/command.js";
import { EXIT, UserError } from "../../src/user-error.js";
import { BRANCHES_PER_ROLLOUT } from "./inputs/create-scores.js";
import type { BenchRow } from "./row.js";
import { rows } from "./rows/index.js";

export interface BenchRequest {
  readonly rows: readonly BenchRow[];
  readonly branches: number;
  readonly runs: number;
  readonly format: "text" | "json";
}

/** 80,000 branches are 256 MB. */
const DEFAULT_BRANCHES = 80_000;
/** Fewer have no two halves for G3, and nothing to shuffle. */
const LEAST_BRANCHES = 40;
const DEFAULT_RUNS = 3;

export const benchOptions: readonly (readonly [flags: string, description: string])[] = [
  ["--only <row...>", `rows to measure, all by default: ${rows.map(({ id }) => id).join(", ")}`],
  ["--branches <n>", `size of the inputs, ${DEFAULT_BRANCHES} by default`],
  ["--runs <n>", `runs of each side, of which the best counts, ${DEFAULT_RUNS} by default`],
  ["--format <name>", "text or json; text by default"],
];

/** Values of `benchOptions`. Throws UserError (exit 2) for what makes no sense. */
export function readBenchOptions(values: Readonly<Record<string, unknown>>): BenchRequest {
  const options = new OptionValues(values);
  const branches = readCount(options, "branches", DEFAULT_BRANCHES, LEAST_BRANCHES);
  const format = options.optionalText("format") ?? "text";
  if (format !== "text" && format !== "json") {
    throw new UserError(`--format is text or json, not "${format}"`, EXIT.usage);
  }
  return {
    rows: values.only === undefined ? rows : options.texts("only").map(findRow),
    branches: branches - (branches % BRANCHES_PER_ROLLOUT),
    runs: readCount(options, "runs", DEFAULT_RUNS, 1),
    format,
  };
}

function findRow(id: string): BenchRow {
  const row = rows.find((each) => each.id === id);
  if (row !== undefined) return row;
  const known = rows.map((each) => each.id).join(", ");
  throw new UserError(`--only: no row is called "${id}"; there are ${known}`, EXIT.usage);
}

function readCount(options: OptionValues, name: string, otherwise: number, least: number): number {
  const text = options.optionalText(name);
  if (text === undefined) return otherwise;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw new UserError(`--${name} must be a whole number from ${least}`, EXIT.usage);
}
