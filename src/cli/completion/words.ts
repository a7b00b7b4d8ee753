import type { Option } from "commander";
import type { LoadedCommand } from "../command.js";
import { quietOption } from "../program.js";
import { RULE_SETTINGS } from "../rollout-options.js";

/** An option as a shell completes it. */
export interface CompletedOption {
  /** `--input`, and `-i` if it has a short form. */
  readonly names: readonly string[];
  readonly description: string;
  /** What follows it; undefined for a flag. Without choices, its value is a file or any text. */
  readonly value: { readonly choices: readonly string[]; readonly isFile: boolean } | undefined;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Values of its operand. Empty: files. */
  readonly operands: readonly string[];
}

/** Value names of options that take files or folders, as in `--input <file...>`. */
const FILE_VALUE = /[<\]=](?:file|folder|dir|place|glob)\b/;

/** Values that help leaves out, because they are many. */
const MANY_CHOICES: ReadonlyMap<string, readonly string[]> = new Map([["--rule", RULE_SETTINGS]]);

const HELP: CompletedOption = {
  names: ["--help", "-h"],
  description: "display help for command",
  value: undefined,
};

/** The command that commander adds to the others. */
export const HELP_COMMAND = { name: "help", summary: "display help for command" } as const;

/** What may stand in the place of a command. */
export const PROGRAM_OPTIONS = [
  { name: "--help", summary: "display help for command" },
  { name: "--version", summary: "output the version number" },
] as const;

/** To a shell, commands that begin with the same word are one: their second words are its operands. */
export function toCompleted(commands: readonly LoadedCommand[]): CompletedCommand[] {
  const firstWord = ({ name }: LoadedCommand): string => name.split(" ")[0] ?? "";
  return [...new Set(commands.map(firstWord))].map((word) => {
    const own = commands.filter((command) => firstWord(command) === word);
    const seconds = own.flatMap(({ name }) => name.split(" ").slice(1));
    const options = new Map(
      [...own.flatMap((command) => command.options), quietOption]
        .filter(({ hidden }) => !hidden)
        .map((option) => [option.long, toCompletedOption(option)]),
    );
    return {
      name: word,
      summary: seconds.length > 0 ? seconds.join(", ") : (own[0]?.summary ?? ""),
      options: [...options.values(), HELP],
      operands: seconds.length > 0 ? seconds : (own[0]?.operandChoices ?? []),
    };
  });
}

function toCompletedOption(option: Option): CompletedOption {
  const { flags, long, short, description, argChoices, required, optional } = option;
  return {
    names: [long, short].filter((name) => name != null),
    description,
    value:
      required || optional
        ? {
            choices: argChoices ?? MANY_CHOICES.get(long ?? "") ?? [],
            isFile: FILE_VALUE.test(flags),
          }
        : undefined,
  };
}
