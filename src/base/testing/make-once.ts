import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Environment variable with the folder of one test run, which vitest-setup.ts creates and removes. */
export const RUN_FOLDER = "ROLLOUT_WIRE_TEST_FOLDER";

/**
 * Creates something slow that all tests of a run share read-only. The first caller creates it in a separate
 * folder, and the others wait. Returns the folder.
 */
export function makeOnce(name: string, make: (folder: string) => void): string {
  const folder = join(requireRunFolder(), name);
  const [lock, done] = [`${folder}.lock`, `${folder}.done`];
  while (!existsSync(done)) {
    if (!tryLock(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      continue;
    }
    try {
      if (existsSync(done)) break;
      // Starts again if an earlier attempt failed.
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      make(folder);
      writeFileSync(done, "");
    } finally {
      rmdirSync(lock);
    }
  }
  return folder;
}

function requireRunFolder(): string {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) throw new Error(`${RUN_FOLDER} is not set: see vitest-setup.ts`);
  return folder;
}

function tryLock(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
