import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { onEndingSignal } from "../src/base/files/ending-signals.js";

/** A program that runs. */
export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** Kills the program and all processes that it started, if they still run, and closes its streams. */
  stop(): void;
}

/** What to start. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables besides those of this process; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its working folder. Default: that of this process. */
  readonly cwd?: string;
}

/**
 * Starts a program as the leader of a process group, so that `stop`, or a signal to this process, can kill the whole
 * group.
 */
export function startProgram({ command, args, env, cwd }: ProgramCall): Program {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The whole group has already exited.
    }
  };
  const release = onEndingSignal(kill);
  return {
    child,
    stop() {
      release();
      kill();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
}
