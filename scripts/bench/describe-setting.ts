import { execFileSync, spawnSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { packageVersion } from "../../src/package-version.js";
import { HOME } from "../home.js";

/** Where and of what a benchmark was made. */
export interface Setting {
  readonly machine: string;
  /** Processes that were running or waiting on average in the last minute: other people's work. */
  readonly load: string;
  readonly versions: string;
  readonly commit: string;
}

export function describeSetting(python: string): Setting {
  const [cpu] = cpus();
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  const [load = 0] = loadavg();
  const pythonVersion = execFileSync(python, ["--version"], { encoding: "utf8" }).trim();
  return {
    machine: `${cpus().length} x ${cpu?.model.trim()}, ${gibibytes} GiB, ${type()} ${release()}`,
    load: `${load.toFixed(2)} at the start`,
    versions: `rollout-wire ${packageVersion()}, Node ${process.versions.node}, ${pythonVersion}`,
    commit: describeCommit(),
  };
}

function describeCommit(): string {
  const { status, stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=10"], {
    cwd: HOME,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : "unknown";
}
