import type { OpenedRepository } from "../../drift/copy.js";
import { LOCK_FILE, readTreeLock } from "../../drift/lock.js";
import type { Tree } from "../../drift/trees/tree.js";
import { createFinding, FileFault } from "../../findings/finding.js";

const MEND = "restore it from git, or have it written anew by sync --force";

/** The lock of a repository. One that cannot be read is a finding, with its place and what mends it. */
export function readLockOf(tree: Tree): Pick<OpenedRepository, "lock" | "lockFaults"> {
  try {
    return { lock: readTreeLock(tree), lockFaults: [] };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { place } = error;
    const source = tree.read(LOCK_FILE)?.toString("utf8");
    const message = `${place.message}: ${MEND}`;
    const finding = createFinding({ ...place, message, ...(source !== undefined && { source }) });
    return { lock: undefined, lockFaults: [finding] };
  }
}
