import { execFile } from "node:child_process";
import { EXIT, UserError } from "../../src/base/user-error.js";

export interface ToolOptions {
  readonly cwd: string;
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ToolOutcome {
  readonly isGreen: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of standard error, or why the tool cannot be started. */
  readonly reason: string;
}

/** Runs a program of the machine. */
export function tryTool(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: ToolOptions,
): Promise<ToolOutcome> {
  const options = { cwd, maxBuffer: 2 ** 30, env: { ...process.env, ...env } };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const reason = stderr.trim().split("\n").at(-1) || (error?.message ?? "");
      resolve({ isGreen: error === null, stdout, stderr, reason });
    });
  });
}

/** Standard output of a program that must succeed. Throws UserError otherwise. */
export async function runTool(
  command: string,
  args: readonly string[],
  options: ToolOptions,
): Promise<string> {
  const { isGreen, stdout, reason } = await tryTool(command, args, options);
  if (isGreen) return stdout;
  const line = [command, ...args].join(" ");
  throw new UserError(`${line} failed: ${reason}`, EXIT.findings);
}
