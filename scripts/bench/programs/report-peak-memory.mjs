/**
 * Loaded into a measured program with `--import`: at its end it writes to the file BENCH_PEAK_FILE how
 * many bytes of memory the process held at most. Worker threads live in the process and are in it.
 *
 * Linux keeps `ru_maxrss`, which `process.resourceUsage` gives, across exec: a small child would seem
 * to be as large as the program that started it. The peak in /proc belongs to the program alone.
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
