import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SingleBar } from "cli-progress";
import { onEndingSignal } from "../base/files/ending-signals.js";
import { STDIN } from "../base/files/source.js";
import type { OutputStream } from "../base/paint.js";
import { type Progress, SILENT } from "../base/run/progress.js";
import { formatBytes, formatCount } from "../base/text.js";
import type { CommandContext } from "./command.js";

/** Whether a bar can be shown: on a terminal, unless it is a dumb one, which would print its control sequences. */
export function hasBar({ stderr, env }: Pick<CommandContext, "stderr" | "env">): boolean {
  return stderr.isTTY === true && env.TERM !== "dumb";
}

/** Shows a progress bar on a terminal, and nothing elsewhere. */
export async function startProgress(
  files: readonly string[],
  context: Pick<CommandContext, "cwd" | "stderr" | "env">,
): Promise<Progress> {
  if (!hasBar(context)) return SILENT;
  const { stderr, cwd } = context;
  const total = await totalBytes(files, cwd);
  const bar = await createBar(stderr);
  let started = performance.now();
  let bytesRead = 0;
  let isRebuilding = false;
  // The size of a pipe is unknown, so the bar stays empty and only the figures change.
  bar.start(total ?? Number.MAX_SAFE_INTEGER, 0, { phase: "reading   ", figures: "" });
  return {
    read(bytes, records) {
      bytesRead += bytes;
      const seconds = (performance.now() - started) / 1000;
      const figures = [
        formatBytes(bytesRead),
        ...(records === 0 ? [] : [`${formatBytes(Math.round(bytesRead / seconds))}/s`]),
        formatCount(records, "record"),
        // What is only read ahead says nothing about the time.
        ...(records === 0 || total === undefined ? [] : [timeLeft(bytesRead, total, seconds)]),
      ];
      bar.update(bytesRead, { figures: figures.join("   ") });
    },
    rebuilt(records, all) {
      if (!isRebuilding) {
        isRebuilding = true;
        started = performance.now();
        bar.setTotal(all);
      }
      const seconds = (performance.now() - started) / 1000;
      const figures = [formatCount(records, "record"), timeLeft(records, all, seconds)];
      bar.update(records, { phase: "building  ", figures: figures.join("   ") });
    },
    stop: () => bar.stop(),
  };
}

/** Undefined if the size of an input is unknown. */
async function totalBytes(files: readonly string[], cwd: string): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    const found = file === STDIN ? undefined : await stat(resolve(cwd, file));
    if (found?.isFile() !== true) return undefined;
    total += found.size;
  }
  return total;
}

/** Remaining time at the current rate: `0:07 left`. */
function timeLeft(done: number, total: number, seconds: number): string {
  const left = Math.ceil((Math.max(0, total - done) * seconds) / Math.max(1, done));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
}

/**
 * A progress bar with a `phase` and `figures`. It turns off the terminal's line wrap until it is stopped. It is then
 * cleared, also if a signal ends the process.
 */
export async function createBar(stream: OutputStream): Promise<SingleBar> {
  const { SingleBar } = await import("cli-progress");
  const bar = new SingleBar({
    format: "  {phase}{bar} {percentage} %   {figures}",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 20,
    stream,
    fps: 5,
    hideCursor: null,
    clearOnComplete: true,
    gracefulExit: false,
  });
  bar.once(
    "stop",
    onEndingSignal(() => bar.stop()),
  );
  return bar;
}
