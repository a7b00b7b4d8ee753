import type { Option } from "commander";
import type { LoadedCommand } from "./command.js";
import { DESCRIPTION, EXIT_MEANINGS, PROGRAM, quietOption } from "./program.js";

/** Prints the man page of the program (section 1) with all its commands, in the macros of man(7). */
export function printManPage(commands: readonly LoadedCommand[], version: string): string {
  return [
    `.TH ${PROGRAM.toUpperCase()} 1 "" "${toRoff(`${PROGRAM} ${version}`)}" "User Commands"`,
    // A narrow line cannot be justified, of which troff warns.
    ".ad l",
    ".SH NAME",
    `${toRoff(PROGRAM)} \\- ${toRoff(DESCRIPTION)}`,
    ".SH SYNOPSIS",
    ...commands.flatMap(({ name, operands = "" }) => [
      ".br",
      `.B ${toRoff(`${PROGRAM} ${name}`)}`,
      `[options] ${toRoff(operands)}`.trim(),
    ]),
    ".SH DESCRIPTION",
    `Every command has the options ${toRoff(quietOption.flags)} (${toRoff(quietOption.description)}) and ${toRoff("-h, --help")}.`,
    ...commands.flatMap(printCommand),
    ".SH EXIT STATUS",
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => printItem(String(code), meaning)),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, meaning]) => printItem(name, meaning)),
    "",
  ].join("\n");
}

const ENVIRONMENT = [
  ["NO_COLOR, FORCE_COLOR", "no colours on a terminal; colours also elsewhere"],
  ["TMPDIR", "where temporary files are written"],
  ["GITHUB_STEP_SUMMARY", "a file to which --format github appends a summary"],
  ["DEBUG", "if set, a failure is printed with its stack"],
] as const;

function printCommand({ name, summary, options, examples }: LoadedCommand): string[] {
  return [
    `.SH ${toRoff(`${PROGRAM} ${name}`).toUpperCase()}`,
    toRoff(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`),
    ...options
      .filter(({ hidden }) => !hidden)
      .flatMap((option) => printItem(option.flags, describe(option))),
    ".PP",
    "Examples:",
    ".PP",
    ".nf",
    ...examples.map((example) => toRoff(`  ${PROGRAM} ${example}`)),
    ".fi",
  ];
}

/** A description with the choices and the default, as `--help` shows them. */
function describe({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
}: Option): string {
  const shown = defaultValueDescription ?? defaultValue;
  const notes = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
    ...(shown === undefined ? [] : [`default: ${shown}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

function printItem(term: string, text: string): string[] {
  return [".TP", `.B ${toRoff(term)}`, toRoff(text)];
}

/** A hyphen alone may become another character, and a line that begins with a dot or quote is a macro. */
function toRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll('"', "\\(dq")
    .replace(/^\./, "\\&.");
}
