import type { Disagreement, OwnFixture } from "#generated/index.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { formatCount } from "../../base/text.js";
import { UserError } from "../../base/user-error.js";
import type { Canonical } from "./canonical.js";
import { checkCopies, checkLock } from "./check.js";
import type { CheckedCopy } from "./copy.js";
import { findDisagreements } from "./disagreement.js";
import { describeNews } from "./former.js";
import type { Holder } from "./holder.js";
import { findLackingImports } from "./imports.js";
import { findMisspeltNames } from "./misspelt.js";
import { toElsewhere } from "./other-registry.js";
import { applyPolicy } from "./policy.js";
import { RecordTypes } from "./records/record-types.js";
import { replayFixtures } from "./records/replay.js";
import { typeOf } from "./scan/compare-fork.js";
import { type FoundFork, MAX_SIZE, type ScannedTree, toForkFinding } from "./scan/forks.js";
import { type ScannedHolder, scanHolder, toReplayed } from "./scan-holder.js";

type ScanCounts = Pick<ScannedTree, "files" | "candidates" | "binary">;

/** An unregistered schema, and how many records were replayed on it. */
export interface CheckedFork extends FoundFork {
  /** Undefined if nothing can be replayed on it: it is no schema, or Ajv cannot compile it. */
  readonly replayed: { readonly records: number; readonly rejected: number } | undefined;
}

/** What was found about one repository. */
interface CheckedRepository {
  readonly copies: readonly CheckedCopy[];
  readonly forks: readonly CheckedFork[];
  /** The records that were replayed. */
  readonly fixtures: readonly OwnFixture[];
  /** All findings about it, including those of the copies, by the rules of its configuration. */
  readonly findings: readonly Finding[];
  /** Whether a file could not be read, so that nothing of it was checked. */
  readonly isUnread: boolean;
}

export interface CheckedRepositories {
  /** In the order of the holders. */
  readonly repositories: readonly CheckedRepository[];
  readonly disagreements: Disagreement[];
  /** About the disagreements, and about names of repositories. */
  readonly findings: readonly Finding[];
  /** The number of copies, of those that are there, and of findings that baselines accept. */
  readonly checked: {
    readonly copies: number;
    readonly present: number;
    readonly accepted: number;
    /** Schemas that the repositories own. */
    readonly originals: number;
  };
  /** The number of fixtures, of replayed records and of scanned files. */
  readonly searched: ScanCounts & { readonly fixtures: number; readonly records: number };
}

interface CheckContext {
  readonly canonical: Canonical;
  /** The current day in UTC, as YYYY-MM-DD. */
  readonly today: string;
  /** Whether copies are compared with the lock of their repository instead of what it should hold now. */
  readonly byLock?: boolean;
  /** What `validate` finds in the records of a file beyond their structure. */
  readonly findRuleFaults?: (fixture: OwnFixture, holder: Holder) => readonly Finding[];
}

/** Checks every copy and every fixture against every schema, and finds unregistered copies. */
export function checkRepositories(
  holders: readonly Holder[],
  { canonical, today, byLock = false, findRuleFaults = () => [] }: CheckContext,
): CheckedRepositories {
  const types = new RecordTypes(canonical);
  const scans = new Map<Holder, ScannedHolder | UserError>();
  for (const holder of holders) {
    scans.set(
      holder,
      attempt(() => scanHolder(requireReadable(holder), { canonical, types })),
    );
  }
  const scanned = [...scans].flatMap(([holder, scan]) =>
    scan instanceof UserError ? [] : [toReplayed(holder, scan)],
  );
  const replay = replayFixtures(scanned, { canonical, types });
  let accepted = 0;
  const check = (holder: Holder, scan: ScannedHolder): CheckedRepository => {
    const { tree, lock, config } = holder;
    const { forks: found, fixtures, findings: scanFindings } = scan;
    // Without a configuration, only the lock says what the repository holds.
    const { copies, findings } =
      lock !== undefined && (byLock || config === undefined)
        ? checkLock(holder, lock, canonical)
        : checkCopies(holder, canonical);
    const forks = found.map((each) => ({ ...each, replayed: replay.forks.get(each.fork) }));
    const forkFindings = forks.map((fork) => toForkFinding(fork, tree, describeReplay(fork)));
    const all = [
      ...copies.flatMap((copy) => copy.findings),
      ...(replay.findings[scanned.findIndex((each) => each.holder === holder)] ?? []),
      ...fixtures.flatMap((fixture) => findRuleFaults(fixture, holder)),
      ...findLackingImports(holder, canonical).map(({ file, ...place }) =>
        createFinding({ ...place, file: tree.nameOf(file) }),
      ),
      ...findings,
      ...forkFindings,
      ...scanFindings,
    ];
    const checked = { copies, forks, fixtures, isUnread: false };
    if (config === undefined) return { ...checked, findings: all };
    all.push(...toElsewhere(config, holder.elsewhere, tree, canonical));
    const judged = applyPolicy(all, {
      config,
      tree,
      today,
      isPartial: !holder.isWhole,
      describeNews: (known) => describeNews(known, tree, canonical),
    });
    accepted += judged.accepted;
    return { ...checked, findings: judged.findings };
  };
  const repositories = [...scans].map(([holder, scan]) => {
    const checked = scan instanceof UserError ? scan : attempt(() => check(holder, scan));
    return checked instanceof UserError ? toUnreadable(holder, checked) : checked;
  });
  const all = repositories.flatMap(({ copies }) => copies);
  const present = all.filter(({ grade }) => grade !== "missing").length;
  const originals = holders.reduce((sum, { tree }) => sum + canonical.originalsIn(tree).length, 0);
  const fixtures = repositories.reduce((sum, each) => sum + each.fixtures.length, 0);
  const { disagreements, findings } = findDisagreements(scanned);
  return {
    repositories,
    disagreements,
    findings: [...findings, ...findMisspeltNames(holders, canonical)],
    checked: { copies: all.length, present, accepted, originals },
    searched: {
      ...{ fixtures, records: replay.records },
      ...sumOf([...scans.values()].flatMap((scan) => (scan instanceof UserError ? [] : scan))),
    },
  };
}

/** A file that cannot be read concerns one repository: the others are checked. */
function attempt<T>(action: () => T): T | UserError {
  try {
    return action();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** Reads what is compared with other repositories before any of them is. Throws UserError (exit 3) if it cannot be read. */
function requireReadable(holder: Holder): Holder {
  const { tree, artefacts, fixtures, lock } = holder;
  const read = (path: string): number => tree.read(path)?.length ?? 0;
  for (const { path } of fixtures) read(path);
  for (const { kind, path } of [...artefacts, ...(lock?.artefacts ?? [])]) {
    if (read(path) <= MAX_SIZE || kind === "fixture") continue;
    throw new UserError(`${tree.nameOf(path)}: is too large for a copy`);
  }
  return holder;
}

function toUnreadable({ tree }: Holder, { message }: UserError): CheckedRepository {
  const finding = createFinding({ id: "unreachable", file: tree.name, message });
  return { copies: [], forks: [], fixtures: [], findings: [finding], isUnread: true };
}

/** What was replayed on a fork, in words. One that nothing was replayed on passes for any records. */
export function describeReplay({ fork, compared, replayed }: CheckedFork): string {
  if (replayed !== undefined && replayed.records > 0) {
    const rejects = replayed.rejected > 0 ? `, of which it rejects ${replayed.rejected}` : "";
    return `${formatCount(replayed.records, "record")} replayed on it${rejects}`;
  }
  if (compared === undefined) return "no record replayed on it: it is part of a program or page";
  if (fork.type !== undefined && typeOf(fork) === undefined) {
    return "no record replayed on it: its record type is unknown, since it names none and is clearly like none: give it the name of the type for a title";
  }
  if (replayed === undefined) return "no record replayed on it: it cannot be compiled";
  return `no record replayed on it: no fixture has a ${typeOf(fork) ?? "type"} that it describes`;
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
