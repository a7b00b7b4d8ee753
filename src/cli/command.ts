import type { Option } from "commander";
import type { InputSource } from "../base/files/source.js";
import type { OutputStream } from "../base/paint.js";
import { EXIT, type ExitCode, UserError } from "../base/user-error.js";

/** The environment of a command. A command reads and writes nothing else. */
export interface CommandContext extends InputSource {
  /** Results only. */
  readonly stdout: OutputStream;
  /** Everything else: summaries and errors. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts the program again: the beginning of every command line that is printed, see `findProgramCommand`. */
  readonly program: string;
}

/** Runs a command line, given without the names of Node and the program. Never throws. */
export type Runner = (argv: readonly string[], context: CommandContext) => Promise<ExitCode>;

/** The parsed arguments of a command. */
export interface CommandInput {
  readonly operands: readonly string[];
  readonly options: OptionValues;
  /** The command line as a shell takes it, without credentials of URLs, for people who run it again. */
  readonly line: string;
}

/** The groups of commands, in the order of help. Help shows the last one only with `--all`. */
export const GROUPS = ["data", "contract", "advanced"] as const;

/** One command of the program. */
export interface Command {
  readonly options: readonly Option[];
  /** Command lines without the program's name, shown by `--help`. */
  readonly examples: readonly string[];
  /** Values of the operand. If there may be several operands, others are files. Absent: all are. */
  readonly operandChoices?: readonly string[];
  /** Throws UserError for a mistake of the user. */
  run(input: CommandInput, context: CommandContext): Promise<ExitCode>;
}

/**
 * What help says of a command. It stands apart from the command, because commands load validators, exporters and more, and
 * help loads none of them.
 */
export interface CommandEntry {
  /** What runs it: one word, or two. */
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  /** At most 55 characters, so that help fits 80 columns. */
  readonly summary: string;
  /** Operands in commander's syntax, such as `<file...>` or `<old> <new>`. Absent: none. */
  readonly operands?: string;
  load(): Promise<{ readonly command: Command }>;
}

/** A command with what help says of it. */
export type LoadedCommand = Command & Omit<CommandEntry, "load">;

export async function loadCommand({ load, ...entry }: CommandEntry): Promise<LoadedCommand> {
  return { ...entry, ...(await load()).command };
}

/** The options of a command line by their camelCase names. Each getter checks the type of the value. */
export class OptionValues {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #given: ReadonlySet<string>;

  /** `given`: the names of those that are not at their defaults. */
  constructor(
    values: Readonly<Record<string, unknown>>,
    given: Iterable<string> = Object.keys(values),
  ) {
    this.#values = values;
    this.#given = new Set(given);
  }

  /** Whether the option was given, so that its value is not its default. */
  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** Throws UserError (exit 2) if one of these options was given. */
  refuse(names: readonly string[], because: string): void {
    const given = names.find((name) => this.isGiven(name));
    if (given !== undefined) throw new UserError(`${toFlag(given)} ${because}`, EXIT.usage);
  }

  /** Whether a flag without a value was given. */
  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Value of a `--name <text>` option that has a default or is mandatory. */
  text(name: string): string {
    return required(name, this.optionalText(name));
  }

  /** Value of a `--name <text>` option; undefined if it was not given. */
  optionalText(name: string): string | undefined {
    return this.#typed(name, isText);
  }

  /** Value of an option parsed to a number that has a default. */
  count(name: string): number {
    return required(name, this.optionalCount(name));
  }

  /** Value of an option parsed to a number; undefined if it was not given. */
  optionalCount(name: string): number | undefined {
    return this.#typed(name, isNumber);
  }

  /** A parsed value of another type; undefined if it was not given. */
  optional<T>(name: string, isTyped: (value: unknown) => value is T): T | undefined {
    return this.#typed(name, isTyped);
  }

  /** Values of a mandatory `--name <text...>` option. */
  texts(name: string): readonly string[] {
    return required(name, this.optionalTexts(name));
  }

  /** Values of a `--name <text...>` option; undefined if it was not given. */
  optionalTexts(name: string): readonly string[] | undefined {
    return this.#typed(name, isTexts);
  }

  #typed<T>(name: string, isTyped: (value: unknown) => value is T): T | undefined {
    const value = this.#values[name];
    for (const text of Array.isArray(value) ? value : [value]) requireGivenValue(name, text);
    if (value === undefined || isTyped(value)) return value;
    throw new TypeError(`option "${name}" is declared with another type than it is read with`);
  }
}

/** An unset shell variable gives an empty value, and a forgotten value turns the next flag into one. */
function requireGivenValue(name: string, value: unknown): void {
  const flag = toFlag(name);
  if (value === "") throw new UserError(`${flag}: its value is empty`, EXIT.usage);
  if (typeof value === "string" && /^-(?:-[a-z]|[a-z]$)/.test(value)) {
    throw new UserError(
      `${flag} needs a value, but ${value} follows (for a file of that name: ./${value})`,
      EXIT.usage,
    );
  }
}

/** How an option with this camelCase name is written. */
function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new TypeError(`option "${name}" is declared without a default`);
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
