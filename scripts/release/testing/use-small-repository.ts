import { afterEach, beforeEach } from "vitest";
import { readChanges } from "../../../conformance/versions/changes.js";
import { SmallRepository } from "../../../conformance/versions/testing/small-repository.js";
import type { Finding } from "../../../src/base/findings/finding.js";
import { toRelease } from "../plan.js";
import type { PlannedRelease, Requirement } from "../requirement.js";

/** A small repository that a test prepares for a release, and the findings of a requirement. */
export interface PreparedRelease {
  readonly repository: SmallRepository;
  /** The release of its schema. */
  release(): PlannedRelease;
  find(): Promise<readonly Finding[]>;
}

/** Gives every test of the calling file its own repository, and removes it afterwards. */
export function useSmallRepository(requirement: Requirement): PreparedRelease {
  let current: SmallRepository;
  beforeEach(() => {
    current = new SmallRepository();
  });
  afterEach(() => current.remove());
  const release = (): PlannedRelease => {
    const [planned] = readChanges(current.root, current.registry).map((change) =>
      toRelease(change, new Set()),
    );
    if (planned === undefined) throw new Error("the test releases nothing");
    return planned;
  };
  return {
    get repository() {
      return current;
    },
    release,
    find: async () => (await requirement.check(current.root, release())).findings,
  };
}
