/**
 * Loaded into a measured program with `--import`: on exit, writes the peak memory of the process in bytes to
 * the file BENCH_PEAK_FILE. Includes worker threads, which are part of the process.
 *
 * Linux keeps `ru_maxrss`, which `process.resourceUsage` returns, across exec: a small child would seem as
 * large as its parent. The peak in /proc is that of the program alone.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const STATUS = "/proc/self/status";

function peakKibibytes() {
  if (!existsSync(STATUS)) return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, "utf8"))?.[1]);
}

if (isMainThread) {
  process.on("exit", () => {
    writeFileSync(process.env.BENCH_PEAK_FILE, String(peakKibibytes() * 1024));
  });
}
