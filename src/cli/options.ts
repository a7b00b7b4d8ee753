import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import type { FindingLimits } from "../base/findings/finding-list.js";
import { reporters } from "../base/reporters/index.js";
import { escapeControls, formatCount, toDay, today } from "../base/text.js";
import { EXIT, UserError } from "../base/user-error.js";
import type { Acceptance } from "../contract/drift/accept.js";
import type { OptionValues } from "./command.js";
import { parseCount } from "./option-parsers.js";

/** Default of `--max-errors`. */
export const DEFAULT_MAX_ERRORS = 100;

/** Options with the same meaning in every command that reports findings. */
export const findingOptions: readonly Option[] = createFindingOptions();

/** The same with further values of `--format`, which the command prints itself. */
export function createFindingOptions(...formats: readonly string[]): readonly Option[] {
  return [
    new Option("-f, --format <name>", "how findings are printed")
      .choices([...reporters.map(({ id }) => id), ...formats])
      .default(reporters[0]?.id),
    new Option("--max-errors <n>", "list at most n errors and n warnings, and count the rest")
      .argParser(parseCount)
      .default(DEFAULT_MAX_ERRORS),
    new Option("--max-warnings <n>", "count every warning after the n-th as an error").argParser(
      parseCount,
    ),
  ];
}

/** Option of every command about copies. */
export const registryOption: Option = new Option(
  "--registry <file>",
  "registry of the schemas whose copies these are (default: that of this package)",
);

/** Option of every command that reads commits. */
export const fetchOption: Option = new Option(
  "--fetch",
  "let git fetch the files of a commit that a partial clone lacks",
);

/** Reads how many findings are listed and allowed from `findingOptions`. */
export function readFindingLimits(options: OptionValues): FindingLimits {
  return {
    maxErrors: options.count("maxErrors"),
    maxWarnings: options.optionalCount("maxWarnings"),
  };
}

/** Option of every command that enters findings in a baseline. */
export const expiresOption: Option = new Option(
  "--expires <date>",
  "last day of --accept, as YYYY-MM-DD (default: in 90 days)",
);

/**
 * Reads `--accept` and `expiresOption`; undefined without them. Throws UserError (exit 2) for an empty reason, for a day
 * before today, and for a day without a reason.
 */
export function readAcceptance(options: OptionValues): Acceptance | undefined {
  const [reason, day] = [options.optionalText("accept"), options.optionalText("expires")];
  if (reason === undefined) {
    options.refuse(["expires"], "requires --accept");
    return undefined;
  }
  if (reason.trim() === "") throw new UserError("--accept: its value is empty", EXIT.usage);
  return { reason, expires: readExpiry(day) };
}

/** Days for which a finding is accepted by default. */
const DEFAULT_DAYS = 90;

const DAY_MS = 86_400_000;

function readExpiry(text: string | undefined): string {
  if (text === undefined) return toDay(Date.now() + DEFAULT_DAYS * DAY_MS);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes the 30th of February for a day of March.
  if (!Number.isNaN(time) && toDay(time) === text && text >= today()) return text;
  throw new UserError(
    `--expires ${escapeControls(text)}: must be a day from today on, as YYYY-MM-DD`,
    EXIT.usage,
  );
}

/** A line about the findings that were entered in a baseline. */
export function describeAccepted(added: number, { expires }: Acceptance, file: string): string {
  return `${formatCount(added, "finding")} accepted until ${expires} in ${escapeControls(file)}\n`;
}

/** Option of every command that follows references of schemas. */
export const schemasOption: Option = new Option(
  "--schemas <path...>",
  "files, folders and patterns of schemas to which references may lead, by $id or path",
);

/** With more threads, the cost in memory outweighs the saved time. */
const MAX_WORKERS = 256;

export const workersOption: Option = new Option("-j, --workers <n>", "threads, this one included")
  .argParser(parseCount)
  .default(availableParallelism(), "one per core");

/** Reads `workersOption`. Throws UserError (exit 2) if it is out of range. */
export function readWorkers(options: OptionValues): number {
  const workers = options.count("workers");
  if (workers < 1 || workers > MAX_WORKERS) {
    throw new UserError(`--workers must be from 1 to ${MAX_WORKERS}`, EXIT.usage);
  }
  return workers;
}

/** What a command may skip, and for those who know it a flag that means the same. */
const SKIPS = {
  invalid: { what: "lines and rollouts with errors", alias: "--skip-invalid" },
  contaminated: {
    what: "rollouts that overlap the evaluation set",
    alias: "--drop-contaminated",
  },
  errored: { what: "branches whose run failed, with a branch_error", alias: undefined },
} as const;

/** Options of a command that can skip these. */
export function skipOptions(...names: readonly (keyof typeof SKIPS)[]): readonly Option[] {
  const meanings = names.map((name) => {
    const { what, alias } = SKIPS[name];
    return `${name}, ${what}${alias === undefined ? "" : ` (also ${alias})`}`;
  });
  const parse = (text: string, before: readonly string[] = []): readonly string[] => {
    const given = text.split(/\s*,\s*/);
    const isKnown = given.every((each) => names.some((name) => name === each));
    if (isKnown) return [...before, ...given];
    throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}, several with commas.`);
  };
  return [
    new Option(
      "--skip <what>",
      `what to skip, with a warning each, several with commas: ${meanings.join("; ")}`,
    )
      .choices(names)
      .argParser(parse),
    ...names.flatMap((name) => SKIPS[name].alias ?? []).map((flag) => new Option(flag).hideHelp()),
  ];
}

/** Option of commands that can keep what they skip. */
export const rejectsOption: Option = new Option(
  "--rejects <file>",
  "write the skipped lines to a file, with the reasons",
);

interface Skips {
  readonly skipInvalid: boolean;
  readonly skipErrored: boolean;
  readonly dropContaminated: boolean;
}

/** Reads `skipOptions`. */
export function readSkips(options: OptionValues): Skips {
  const given = options.optionalTexts("skip") ?? [];
  return {
    skipInvalid: given.includes("invalid") || options.flag("skipInvalid"),
    skipErrored: given.includes("errored"),
    dropContaminated: given.includes("contaminated") || options.flag("dropContaminated"),
  };
}

/** Options of commands that skip, keep what they skipped, and have threads. */
export interface RunOptions extends Skips {
  readonly rejects: string | undefined;
  readonly workers: number;
}

/** Reads `skipOptions` and `rejectsOption`. Throws UserError (exit 2) for rejects where nothing is skipped. */
export function readRejects(options: OptionValues): Omit<RunOptions, "workers"> {
  const skips = readSkips(options);
  const rejects = options.optionalText("rejects");
  if (rejects !== undefined && !Object.values(skips).includes(true)) {
    throw new UserError("--rejects requires --skip", EXIT.usage);
  }
  return { ...skips, rejects };
}

/** The same, and `workersOption`. */
export function readRunOptions(options: OptionValues): RunOptions {
  return { ...readRejects(options), workers: readWorkers(options) };
}
