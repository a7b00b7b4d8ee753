import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { onEndingSignal } from "../../src/files/temp.js";
import type { Adapter } from "./adapter.js";

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** Ends the program and whatever it started, if it still runs, and lets go of its streams. */
  stop(): void;
}

/**
 * Starts an adapter's program as the leader of a process group, so that all of it can be ended: by
 * `stop`, and when a signal ends this process.
 */
export function startProgram({ command, args, env }: Adapter): Program {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The whole group has ended by itself.
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
