import type { Canonical } from "../../../conformance/drift/canonical.js";
import type { OpenedRepository } from "../../../conformance/drift/opened-repository.js";
import { LOCK_FILE, readTreeLock } from "../../../conformance/drift/read-lock.js";
import { openTree } from "../../../conformance/drift/trees/open-tree.js";
import type { Tree } from "../../../conformance/drift/trees/tree.js";
import { createFinding } from "../../../conformance/findings/create-finding.js";
import { FileFault } from "../../../conformance/findings/file-fault.js";
import { UserError } from "../../user-error.js";
import { parseRepository } from "../parse-repository.js";

/** A repository that nobody could look at. */
export interface Unreachable {
  readonly name: string;
  readonly place: string;
  readonly because: string;
}

export interface OpenedRepositories {
  readonly opened: readonly OpenedRepository[];
  readonly unreachable: readonly Unreachable[];
}

/** Opens what `--repo` names. Throws UserError (exit 2) for names that the registry does not know. */
export function openRepositories(
  named: readonly string[],
  canonical: Canonical,
  cwd: string,
): OpenedRepositories {
  const opened: OpenedRepository[] = [];
  const unreachable: Unreachable[] = [];
  for (const value of named) {
    const { repository, place } = parseRepository(value, canonical.registry);
    const { name } = repository;
    try {
      const tree = openTree(place, cwd);
      const artefacts = canonical.artefactsOf(name);
      opened.push({ name, place, tree, artefacts, ...readLockOf(tree) });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreachable.push({ name, place, because: error.message });
    }
  }
  return { opened, unreachable };
}

/** A lock that cannot be read is a finding: the copies can be judged without it. */
function readLockOf(tree: Tree): Pick<OpenedRepository, "lock" | "lockFaults"> {
  try {
    return { lock: readTreeLock(tree), lockFaults: [] };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const source = tree.read(LOCK_FILE)?.toString("utf8");
    const finding = createFinding({ ...error.place, ...(source !== undefined && { source }) });
    return { lock: undefined, lockFaults: [finding] };
  }
}
