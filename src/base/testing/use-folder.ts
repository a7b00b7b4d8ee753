import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A folder of its own for each test; gives the function that makes a path in it. */
export function useFolder(): (...parts: string[]) => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rollout-wire-capture-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...parts) => join(folder, ...parts);
}
