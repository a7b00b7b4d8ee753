import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GoldenCommand } from "#generated/index.js";
import { listFiles } from "../../src/base/files/folders.js";
import { createTempFolder } from "../../src/base/files/temp.js";
import { type FaultPlace, toFindings } from "../../src/base/findings/finding.js";
import { CONFIG_FILE } from "../../src/base/package.js";
import { escapeControls, formatBytes, formatCount, quoteForShell } from "../../src/base/text.js";
import { UserError } from "../../src/base/user-error.js";
import { type Program, type ProgramCall, startProgram } from "../start-program.js";
import type { GoldenResult, GoldenUnit } from "./files.js";

/** Word, or part of one, that stands for the folder which a command writes into. */
const OUT = "{out}";

/** How long a command may take by default. */
const DEFAULT_SECONDS = 60;

/** More than anybody commits; bounds memory if a command prints without end. */
const MAX_BYTES = 256 * 2 ** 20;

/** Bytes and lines of its standard error that are shown of a command that failed. */
const LAST_BYTES = 4_000;
const LAST_LINES = 20;

/**
 * The golden commands of a configuration. Their outputs may not meet: each would be unexpected in the other.
 */
export function listPrograms(root: string, commands: readonly GoldenCommand[]): GoldenUnit[] {
  return commands.map((command, index) => {
    const pointer = `/schemas/golden/${index}`;
    const meets = commands.findIndex(
      ({ output }, other) =>
        other !== index &&
        (`${command.output}/`.startsWith(`${output}/`) ||
          `${output}/`.startsWith(`${command.output}/`)),
    );
    const committed = listCommitted(root, command);
    const message =
      meets >= 0 ? `is in the way of the output of /schemas/golden/${meets}` : committed.problem;
    const refuse = (fault: Pick<FaultPlace, "message" | "detail" | "pointer">): GoldenResult => ({
      findings: toFindings(root, [{ id: "golden", file: CONFIG_FILE, ...fault }]),
    });
    const run = async (): Promise<GoldenResult> => {
      if (message !== undefined) return refuse({ pointer: `${pointer}/output`, message });
      const result = await runCommand(root, command);
      if ("made" in result) return result;
      const shown = command.command.map(quoteForShell).join(" ");
      return refuse({
        pointer: `${pointer}/command`,
        message: `${shown}: ${result.problem}`,
        ...(result.lastWords !== "" && { detail: result.lastWords }),
      });
    };
    return { outputs: committed.files, run };
  });
}

function writesFolder({ command }: GoldenCommand): boolean {
  return command.some((word) => word.includes(OUT));
}

/** The committed files of a command, from the root; or why they cannot be compared. */
function listCommitted(
  root: string,
  command: GoldenCommand,
): { readonly files: readonly string[]; readonly problem?: string } {
  const { output } = command;
  const found = lstatSync(join(root, output), { throwIfNoEntry: false });
  if (found === undefined) return { files: [] };
  if (!writesFolder(command)) {
    if (found.isFile()) return { files: [output] };
    return { files: [], problem: `${output} is no file: without ${OUT}, a command prints one` };
  }
  if (!found.isDirectory()) {
    return { files: [], problem: `${output} is no folder: ${OUT} in the command is one` };
  }
  return { files: listFiles(join(root, output)).map((file) => `${output}/${file}`) };
}

type ProgramResult =
  | Extract<GoldenResult, { made: unknown }>
  /** What is wrong, and the end of its standard error. */
  | { readonly problem: string; readonly lastWords: string };

/** Runs a command in the root, without a shell, with nothing on its standard input. */
async function runCommand(root: string, command: GoldenCommand): Promise<ProgramResult> {
  const folder = writesFolder(command) ? createTempFolder() : undefined;
  try {
    const words = command.command.map((word) => word.replaceAll(OUT, folder?.path ?? OUT));
    const { problem, stdout, lastWords } = await run(words, root, command);
    if (problem !== undefined) return { problem, lastWords };
    const made = folder
      ? readMade(folder.path, command.output)
      : new Map(stdout.length === 0 ? [] : [[command.output, stdout]]);
    if (made.size > 0) return { made };
    return { problem: folder ? `wrote no file into ${OUT}` : "printed nothing", lastWords };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: error.message, lastWords: "" };
  } finally {
    folder?.remove();
  }
}

interface Ended {
  readonly problem: string | undefined;
  readonly stdout: Buffer;
  readonly lastWords: string;
}

async function run(
  [program = "", ...args]: readonly string[],
  root: string,
  { seconds = DEFAULT_SECONDS }: GoldenCommand,
): Promise<Ended> {
  const started = tryToStart({ command: program, args, cwd: root, env: SAME_EVERYWHERE });
  if ("problem" in started) return { ...started, stdout: Buffer.of(), lastWords: "" };
  const { child, stop } = started;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let lastWords = Buffer.of();
  let timer: NodeJS.Timeout | undefined;
  try {
    const problem = await new Promise<string | undefined>((resolve) => {
      timer = setTimeout(
        () => resolve(`did not end within ${formatCount(seconds, "second")}`),
        seconds * 1000,
      );
      child.once("error", (error) => resolve(describeStart(program, error)));
      child.once("close", (code, signal) => {
        if (code === 0) resolve(undefined);
        else resolve(`ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
      });
      child.stdout.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_BYTES) resolve(`printed more than ${formatBytes(MAX_BYTES)}`);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        lastWords = Buffer.concat([lastWords, chunk]).subarray(-LAST_BYTES);
      });
      // A program that does not read closes the pipe.
      child.stdin.on("error", () => undefined).end();
    });
    return { problem, stdout: Buffer.concat(chunks), lastWords: toLines(lastWords) };
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** So that the bytes are the same on every machine. */
const SAME_EVERYWHERE = { LC_ALL: "C.UTF-8", NO_COLOR: "1", FORCE_COLOR: undefined, TZ: "UTC" };

function tryToStart(program: ProgramCall): Program | { readonly problem: string } {
  try {
    return startProgram(program);
  } catch (error) {
    // Such as a NUL in an argument.
    return { problem: `cannot start: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function describeStart(program: string, error: Error): string {
  if ("code" in error && error.code === "ENOENT") return `no program is called ${program}`;
  return `cannot start: ${error.message}`;
}

function toLines(bytes: Buffer): string {
  const lines = bytes.toString("utf8").trimEnd().split("\n").slice(-LAST_LINES);
  return lines.map(escapeControls).join("\n");
}

/** The files that a command wrote, as they are to be committed. Throws UserError for one that cannot be. */
function readMade(folder: string, output: string): Map<string, Buffer> {
  let bytes = 0;
  return new Map(
    listFiles(folder).map((file) => {
      const found = lstatSync(join(folder, file));
      // A link may lead anywhere, and a pipe never ends.
      if (!found.isFile()) throw new UserError(`wrote ${file}, which is no regular file`);
      bytes += found.size;
      if (bytes > MAX_BYTES) throw new UserError(`wrote more than ${formatBytes(MAX_BYTES)}`);
      return [`${output}/${file}`, readFileSync(join(folder, file))];
    }),
  );
}
