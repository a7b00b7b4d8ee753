import { afterEach, beforeEach } from "vitest";
import type { Finding } from "../../../src/base/findings/finding.js";
import { copyRepository, type RepositoryCopy } from "../../../src/base/testing/copy-repository.js";
import type { Check } from "../../check.js";
import { runChecks } from "../../run.js";

/** A copy of the repository that a test may modify, and a check that examines it. */
export interface CheckedCopy {
  readonly copy: Omit<RepositoryCopy, "remove">;
  /** Runs the check on the copy in its current state. */
  find(): Promise<readonly Finding[]>;
}

/** Gives every test of the calling file a fresh copy of the `parts` that the check reads. */
export function useCopy(check: Pick<Check, "id" | "run">, parts: readonly string[]): CheckedCopy {
  let current: RepositoryCopy;
  beforeEach(() => {
    current = copyRepository(parts);
  });
  afterEach(() => current.remove());
  return {
    copy: {
      get root() {
        return current.root;
      },
      edit: (path, change) => current.edit(path, change),
      run: (name, ...args) => current.run(name, ...args),
    },
    async find() {
      const [result] = await runChecks([{ purpose: "", fix: "", ...check }], current.root);
      return result?.findings ?? [];
    },
  };
}
