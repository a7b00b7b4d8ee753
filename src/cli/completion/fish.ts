import { PROGRAM } from "../program.js";
import {
  type CompletedCommand,
  type CompletedOption,
  HELP_COMMAND,
  PROGRAM_OPTIONS,
} from "./words.js";

/** The words before the one that is completed, the name of the program included. */
const WORDS = "(commandline -opc)";

// `__fish_seen_subcommand_from` finds the name of a command anywhere in the line, where it may be that of a file.
const IS_COMMAND = "__rollout_wire_is_command";

export function printFish(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name);
  const lines = [
    ...[...commands, HELP_COMMAND].map(
      ({ name, summary }) => `${ifCount(1)} -f -a ${name} -d ${quote(summary)}`,
    ),
    ...PROGRAM_OPTIONS.map(
      ({ name, summary }) => `${ifCount(1)} ${toFlag(name)} -d ${quote(summary)}`,
    ),
    toOperands(HELP_COMMAND.name, names),
    ...commands.flatMap(({ name, options, operands }) => [
      ...(operands.length > 0 ? [toOperands(name, operands)] : []),
      ...options.map((option) => `-n ${quote(`${IS_COMMAND} ${name}`)} ${toOption(option)}`),
    ]),
  ];
  return [
    `# fish completion of ${PROGRAM}:  ${PROGRAM} completion fish | source`,
    `function ${IS_COMMAND}`,
    `  set -l words ${WORDS}`,
    '  test "$words[2]" = "$argv"',
    "end",
    ...lines.map((line) => `complete -c ${PROGRAM} ${line}`),
    "",
  ].join("\n");
}

/** The values of the operand that follows a command at once. */
function toOperands(name: string, operands: readonly string[]): string {
  return `${ifCount(2, `; and ${IS_COMMAND} ${name}`)} -f -a ${quote(operands.join(" "))}`;
}

function ifCount(count: number, more = ""): string {
  return `-n ${quote(`test (count ${WORDS}) -eq ${count}${more}`)}`;
}

function toOption({ names, description, value }: CompletedOption): string {
  return [...names.map(toFlag), ...toValue(value), `-d ${quote(description)}`].join(" ");
}

function toFlag(name: string): string {
  return name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
}

/** `-r`: a value, which may be a file; `-x`: a value that is none. */
function toValue(value: CompletedOption["value"]): string[] {
  if (value === undefined) return [];
  if (value.choices.length > 0) return ["-x", `-a ${quote(value.choices.join(" "))}`];
  return [value.isFile ? "-r" : "-x"];
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
