import { afterEach, beforeEach } from "vitest";
import {
  ALL_PARTS,
  copyRepository,
  type RepositoryCopy,
} from "../../../scripts/testing/copy-repository.js";
import type { Finding } from "../../../src/findings/finding.js";
import { runChecks } from "../../run.js";
import type { Check } from "../check.js";

/** A copy of the repository that a test may break, and a check that looks at it. */
export interface CheckedCopy {
  readonly copy: Omit<RepositoryCopy, "remove">;
  /** What the check finds in the copy as it is by then. */
  find(): Promise<readonly Finding[]>;
}

/** Gives every test of the file that calls it a fresh copy, and removes it afterwards. */
export function useCopy(check: Check): CheckedCopy {
  let current: RepositoryCopy;
  beforeEach(() => {
    current = copyRepository(ALL_PARTS);
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
      const [result] = await runChecks([check], current.root);
      return result?.findings ?? [];
    },
  };
}
