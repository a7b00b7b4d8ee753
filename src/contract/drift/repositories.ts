import type { Disagreement } from "#generated/index.js";
import type { Finding } from "../../base/findings/finding.js";
import type { Canonical } from "./canonical.js";
import { checkCopies, checkLock } from "./check.js";
import type { CheckedCopy } from "./copy.js";
import { findDisagreements } from "./disagreement.js";
import type { Holder } from "./holder.js";
import { applyPolicy } from "./policy.js";
import { replayFixtures } from "./replay.js";
import { findUnregistered, type ScannedTree } from "./scan/forks.js";
import { createSearchFilter, type Tree } from "./trees/tree.js";

type ScanCounts = Pick<ScannedTree, "files" | "candidates" | "binary">;

interface CheckedRepository {
  readonly copies: readonly CheckedCopy[];
  /** All findings about it, including those of the copies, by the rules of its configuration. */
  readonly findings: readonly Finding[];
}

interface CheckedRepositories {
  /** In the order of the holders. */
  readonly repositories: readonly CheckedRepository[];
  readonly disagreements: Disagreement[];
  /** About the disagreements. */
  readonly findings: readonly Finding[];
  /** The number of copies, of those that are there, and of findings that baselines accept. */
  readonly checked: {
    readonly copies: number;
    readonly present: number;
    readonly accepted: number;
  };
  /** The number of own fixtures, of replayed records and of scanned files; undefined if only the copies were compared. */
  readonly searched:
    | (ScanCounts & { readonly fixtures: number; readonly records: number })
    | undefined;
}

interface CheckContext {
  readonly canonical: Canonical;
  /** The current day in UTC, as YYYY-MM-DD. */
  readonly today: string;
  /** Whether copies are compared with the lock of their repository instead of what it should hold now. */
  readonly byLock?: boolean;
}

/** Checks every copy and every fixture against every schema, and finds unregistered copies. */
export function checkRepositories(
  holders: readonly Holder[],
  { canonical, today, byLock = false }: CheckContext,
): CheckedRepositories {
  // A lock without a configuration asks for a quick look at its copies only.
  const isQuick = byLock && holders.every(({ config }) => config === undefined);
  const searched = isQuick ? [] : holders;
  const scans = searched.map((holder) => findUnlisted(holder.tree, holder, canonical));
  const scanned = searched.map((holder, index) => ({ holder, forks: scans[index]?.schemas ?? [] }));
  const { records, findings: replays } = replayFixtures(scanned, canonical);
  const fixtures = searched.reduce((sum, holder) => sum + holder.fixtures.length, 0);
  let accepted = 0;
  const repositories = holders.map((holder, index) => {
    const { tree, lock, config } = holder;
    const { copies, findings } =
      byLock && lock !== undefined
        ? checkLock(holder, lock, canonical)
        : checkCopies(holder, canonical);
    const all = [
      ...copies.flatMap((copy) => copy.findings),
      ...(replays[index] ?? []),
      ...findings,
      ...(scans[index]?.findings ?? []),
    ];
    if (config === undefined) return { copies, findings: all };
    const judged = applyPolicy(all, { config, tree, today });
    accepted += judged.accepted;
    return { copies, findings: judged.findings };
  });
  const all = repositories.flatMap(({ copies }) => copies);
  const present = all.filter(({ grade }) => grade !== "missing").length;
  return {
    repositories,
    ...findDisagreements(scanned),
    checked: { copies: all.length, present, accepted },
    searched: isQuick ? undefined : { fixtures, records, ...sumOf(scans) },
  };
}

/**
 * Finds copies and forks that neither the lock nor the configuration or registry lists. With a configuration, files that
 * git ignores or that it excludes are not searched.
 */
export function findUnlisted(
  tree: Tree,
  holder: Holder | undefined,
  canonical: Canonical,
): ScannedTree {
  const { artefacts = [], lock, fixtures = [], config } = holder ?? {};
  const known = [...artefacts, ...(lock?.artefacts ?? []), ...fixtures].map(({ path }) => path);
  const isSearched = config && createSearchFilter(tree, config.exclude ?? []);
  return findUnregistered(tree, canonical, { known: new Set(known), isSearched });
}

function sumOf(scans: readonly ScanCounts[]): ScanCounts {
  const sum = { files: 0, candidates: 0, binary: 0 };
  for (const { files, candidates, binary } of scans) {
    sum.files += files;
    sum.candidates += candidates;
    sum.binary += binary;
  }
  return sum;
}
