import type { Finding } from "../findings/finding.js";
import type { Canonical } from "./canonical.js";
import { checkCopy, findOutdated, findUnexpectedFiles } from "./check.js";
import type { CheckedCopy, OpenedRepository } from "./copy.js";
import { findPinned } from "./grade.js";
import { replayFixtures } from "./replay.js";
import { findUnregistered, type ScannedTree } from "./scan/forks.js";

interface CheckedRepository {
  readonly name: string;
  readonly copies: readonly CheckedCopy[];
  /** Warnings about outdated copies, errors of the lock, and unregistered copies. */
  readonly findings: readonly Finding[];
}

interface CheckedRepositories {
  readonly repositories: readonly CheckedRepository[];
  /** Records on which repositories disagree. */
  readonly replay: readonly Finding[];
  /** The number of copies, replayed records and scanned files. */
  readonly checked: Omit<ScannedTree, "findings"> & {
    readonly copies: number;
    readonly records: number;
  };
}

/** Checks every copy against this package and every fixture against every copy, and finds unregistered copies. */
export function checkRepositories(
  opened: readonly OpenedRepository[],
  canonical: Canonical,
): CheckedRepositories {
  const scans: ScannedTree[] = [];
  const repositories = opened.map((repository) => {
    const { name, tree, artefacts, lock } = repository;
    const known = new Set([...artefacts, ...(lock?.artefacts ?? [])].map(({ path }) => path));
    const scanned = findUnregistered(tree, canonical, known);
    scans.push(scanned);
    const context = { canonical, tree, lock };
    const copies = artefacts.map((artefact) =>
      checkCopy(artefact, findPinned(artefact, canonical, lock), context),
    );
    const paths = new Set(artefacts.map(({ path }) => path));
    return {
      name,
      copies: [...copies, ...findUnexpectedFiles(name, paths, context)],
      findings: [
        ...findOutdated(name, copies, context),
        ...repository.lockFaults,
        ...scanned.findings,
      ],
    };
  });
  const { records, findings: replay } = replayFixtures(opened, canonical);
  const copies = repositories.reduce((sum, repository) => sum + repository.copies.length, 0);
  return { repositories, replay, checked: { copies, records, ...sumOf(scans) } };
}

function sumOf(scans: readonly ScannedTree[]): Omit<ScannedTree, "findings"> {
  const sum = { files: 0, candidates: 0, binary: 0 };
  for (const { files, candidates, binary } of scans) {
    sum.files += files;
    sum.candidates += candidates;
    sum.binary += binary;
  }
  return sum;
}
