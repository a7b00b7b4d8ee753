/**
 * Changes node:fs so that the process is killed right before its `KILL_AT`-th change of the file system by the main
 * thread, counted from 1, or that of one function with `KILL_AT="renameSync 2"`. Without that variable, the number of
 * changes is printed on standard error at the end.
 */
const PROGRAM = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const write = fs.writeSync;
  const killAt = process.env.KILL_AT;
  const steps = { all: 0 };
  const counted = (name, original) => function (...args) {
    steps.all += 1;
    steps[name] = (steps[name] ?? 0) + 1;
    const isReached = [String(steps.all), name + " " + steps[name]].includes(killAt);
    if (isReached) process.kill(process.pid, "SIGKILL");
    return original.apply(this, args);
  };
  const handle = await fs.promises.open(process.execPath);
  const wrap = (holder, names) => {
    for (const name of names) holder[name] = counted(name, holder[name]);
  };
  wrap(Object.getPrototypeOf(handle), ["appendFile", "chmod", "sync"]);
  await handle.close();
  wrap(fs.promises, ["open", "mkdir", "rename", "rm", "unlink"]);
  wrap(fs, ["openSync", "writeSync", "writeFileSync", "fsyncSync", "renameSync", "linkSync", "symlinkSync"]);
  wrap(fs, ["rmSync", "rmdirSync", "unlinkSync", "mkdirSync", "mkdtempSync", "ftruncateSync"]);
  syncBuiltinESMExports();
  if (!killAt) process.on("exit", () => write(2, "\\nsteps: " + steps.all + "\\n"));`;

/** Arguments for Node that load it. */
export const KILL_AT_STEP: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(PROGRAM)}`,
];

/** The number of changes in what a process printed on standard error. Throws if it is not there. */
export function readSteps(stderr: string): number {
  const steps = Number(/^steps: (\d+)$/m.exec(stderr)?.[1] ?? 0);
  if (steps === 0) throw new Error(`no changes of the file system were counted: ${stderr}`);
  return steps;
}
