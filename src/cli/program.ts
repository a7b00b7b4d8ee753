import { Help, Option } from "commander";
import { packageVersion } from "../base/package.js";
import { createPaint, hasColour, type OutputStream } from "../base/paint.js";
import { EXIT, type ExitCode, UserError } from "../base/user-error.js";
import { type CommandContext, type CommandEntry, GROUPS } from "./command.js";

// What `--help`, the man page and the completion scripts say of the whole program.

export const PROGRAM = "rollout-wire";

export const DESCRIPTION =
  "contracts that hold across repositories, and rollouts that become training data";

/** An option of every command. */
export const quietOption: Option = new Option(
  "-q, --quiet",
  "print results and errors only: no progress, no summary",
);

export const EXIT_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, "clean"],
  [EXIT.findings, "findings of severity error"],
  [EXIT.usage, "usage: an unknown flag, a missing argument, an output that another run writes"],
  [EXIT.unreadable, "a file cannot be read or written, or the system refuses threads"],
  [EXIT.undecided, "undecided: diff or drift can neither prove nor refute that a change breaks"],
  [EXIT.bug, "a bug in rollout-wire; run again with DEBUG=1 and report the stack"],
];

/** Below this width, texts are not wrapped. */
export const MIN_WIDTH_TO_WRAP = 20;

/** Width of help: that of the terminal, elsewhere 100. */
export function helpWidth({ isTTY, columns }: OutputStream): number {
  return (isTTY === true ? columns : undefined) ?? 100;
}

/** What is shown below the commands. */
const STARTS = [
  ["Start with your own file:", "export -i runs.jsonl -e eval.jsonl"],
  ["or your own schema:", "generate task.schema.json"],
  ["One command:", "export --help"],
  ["All commands:", "--help --all"],
] as const;

const START_WIDTH = 27;
const GROUP_WIDTH = 11;

/** A usage error (exit 2) that says where help is. `command`: the one whose help explains what is right. */
export function usageError(
  problem: string,
  { program }: Pick<CommandContext, "program">,
  command?: string,
): UserError {
  const help = [program, command, "--help"].filter((part) => part !== undefined).join(" ");
  return new UserError(`${problem}  Help:  ${help}`, EXIT.usage);
}

/** What the program does: its commands, but the advanced ones only if `all`, and how to start. */
export function describeProgram(
  commands: readonly CommandEntry[],
  all: boolean,
  context: Pick<CommandContext, "stdout" | "env" | "program">,
): string {
  const title = `${PROGRAM} ${packageVersion()}: ${DESCRIPTION}`;
  const shown = commands.filter(({ group }) => all || group !== "advanced");
  const starts = STARTS.map(
    ([when, argv]) => `${when.padEnd(START_WIDTH)}${context.program} ${argv}\n`,
  );
  return [
    `${wrap(title, 0, context.stdout)}\n\n`,
    `${describeCommands(shown, context)}\n`,
    ...starts,
  ].join("");
}

/** What commands do, by group. */
export function describeCommands(
  commands: readonly CommandEntry[],
  { stdout, env }: Pick<CommandContext, "stdout" | "env">,
): string {
  const paint = createPaint(hasColour(stdout, env));
  const nameWidth = Math.max(...commands.map(({ name }) => name.length)) + 3;
  return GROUPS.flatMap((group) =>
    commands
      .filter((command) => command.group === group)
      .map(({ name, summary }, index) => {
        const label = paint("bold", (index === 0 ? group : "").padEnd(GROUP_WIDTH));
        const text = wrap(summary, GROUP_WIDTH + nameWidth, stdout);
        return `${label}${name.padEnd(nameWidth)}${text}\n`;
      }),
  ).join("");
}

function wrap(text: string, indent: number, stdout: OutputStream): string {
  const help = Object.assign(new Help(), { minWidthToWrap: MIN_WIDTH_TO_WRAP });
  const lines = help.boxWrap(text, helpWidth(stdout) - indent);
  return lines.replaceAll("\n", `\n${" ".repeat(indent)}`);
}
