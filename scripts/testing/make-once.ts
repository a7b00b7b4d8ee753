import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Names the folder of one run of the tests, which vitest-setup.ts makes and removes. */
export const RUN_FOLDER = "ROLLOUT_WIRE_TEST_FOLDER";

/**
 * What takes long to make, and that all tests of a run only read: whoever asks first has it made, in a folder
 * of its own, and the others wait for it. Returns the folder.
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
      // Anew where somebody failed before.
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
