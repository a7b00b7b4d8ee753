import { Canonical } from "../../drift/canonical.js";
import { checkLock } from "../../drift/check.js";
import type { OpenedRepository } from "../../drift/copy.js";
import { LOCK_FILE, readTreeLock } from "../../drift/lock.js";
import { checkRepositories } from "../../drift/repositories.js";
import { findUnregistered } from "../../drift/scan/forks.js";
import { openTree } from "../../drift/trees/open.js";
import type { Tree } from "../../drift/trees/tree.js";
import {
  createFinding,
  describeFindings,
  FileFault,
  type Finding,
} from "../../findings/finding.js";
import { FindingList } from "../../findings/finding-list.js";
import { toSafeJson } from "../../json/print.js";
import { packageRoot } from "../../package.js";
import { formatCount, hideCredentials } from "../../text.js";
import { EXIT, type ExitCode, UserError } from "../../user-error.js";
import type { CommandContext, CommandInput, OptionValues } from "../command.js";
import { parseRepository } from "../option-parsers.js";
import { readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import {
  type DriftContext,
  type DriftResult,
  describeCopies,
  describeScan,
  toDriftReport,
} from "./describe.js";
import { listFixes } from "./fixes.js";

/** Checks copies, prints their grades, and returns an exit code that reports errors. */
export function runDrift({ options }: CommandInput, context: CommandContext): ExitCode {
  const result = look(options, new Canonical(packageRoot()), context.cwd);
  const list = new FindingList(readFindingLimits(options));
  const findings = requireChecked(result).map((finding) =>
    list.addLocated(options.flag("latest") ? demandLatest(finding) : finding),
  );
  const { count, thing = "artefact" } = result;
  const report = { ...list.toReport("drift"), checked: count, thing };
  const format = options.text("format");
  if (format === "json") context.stdout.write(toSafeJson(toDriftReport(result, report)));
  else {
    if (format === "text") context.stdout.write(describeCopies(result));
    printReport(report, format, context);
  }
  context.stderr.write(describeSummary(result, list));
  return toExitCode(result, findings);
}

function look(options: OptionValues, canonical: Canonical, cwd: string): DriftResult {
  const repositories = options.optionalTexts("repo");
  const context = { cwd, latest: options.flag("latest") };
  if (repositories !== undefined) return driftOfRepositories(repositories, canonical, context);
  const folder = options.optionalText("scan");
  if (folder !== undefined) return driftOfFolder(folder, canonical, cwd);
  return driftOfLock(canonical, context);
}

/** A run that checked nothing is an error. Otherwise it would pass for any copies. */
function requireChecked({
  findings,
  count,
  place = ".",
  isIncomplete,
}: DriftResult): readonly Finding[] {
  if (count > 0 || isIncomplete) return findings;
  const message = "contains nothing to check";
  return [...findings, createFinding({ id: "nothing-checked", file: place, message })];
}

function demandLatest(finding: Finding): Finding {
  return finding.id === "behind-latest" ? { ...finding, severity: "error" } : finding;
}

function describeSummary({ checked, fixes }: DriftResult, list: FindingList): string {
  const fix = fixes.length === 0 ? "" : `Fix:\n${fixes.map((line) => `  ${line}\n`).join("")}`;
  return `${describeFindings(list)} (${checked.join(", ")})\n${fix}`;
}

function toExitCode({ isIncomplete }: DriftResult, findings: readonly Finding[]): ExitCode {
  if (isIncomplete) return EXIT.unreadable;
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return EXIT.ok;
  return errors.every(({ id }) => id === "undecided") ? EXIT.undecided : EXIT.findings;
}

/** Finds copies and forks in a folder that its lock, if any, does not list. */
export function driftOfFolder(place: string, canonical: Canonical, cwd: string): DriftResult {
  const tree = openTree(place, cwd);
  try {
    const { lock, lockFaults } = readLockOf(tree);
    const known = new Set(lock?.artefacts.map(({ path }) => path));
    const { findings, ...counts } = findUnregistered(tree, canonical, known);
    return {
      copies: [],
      findings: [...lockFaults, ...findings],
      checked: describeScan(counts),
      count: counts.candidates,
      thing: "file",
      place: tree.name,
      fixes: [],
      isIncomplete: false,
    };
  } finally {
    tree.close();
  }
}

/** Compares the copies in this folder with its lock. Throws UserError if there is no lock. */
export function driftOfLock(canonical: Canonical, { cwd, latest }: DriftContext): DriftResult {
  const tree = openTree(".", cwd);
  const { lock, lockFaults } = readLockOf(tree);
  if (lockFaults.length > 0) return { ...NOTHING, findings: lockFaults, isIncomplete: true };
  if (lock === undefined) {
    throw new UserError(
      `${LOCK_FILE}: no such file here, so there is nothing to compare with: run sync for this repository, or name others with --repo, or a folder with --scan`,
    );
  }
  const { repository: name } = lock;
  const { copies, findings, demanded } = checkLock(lock, tree, canonical);
  const isLockWrong = findings.some(({ id }) => id === "lock");
  return {
    copies: copies.map((copy) => ({ ...copy, repository: name })),
    findings: [...copies.flatMap((copy) => copy.findings), ...findings],
    checked: [
      `${formatCount(lock.artefacts.length, "copy", "copies")} of ${LOCK_FILE}`,
      `${demanded} registered for ${name}`,
    ],
    count: copies.length,
    fixes: listFixes(
      { name, place: ".", tree, lock, latest },
      { copies, findings, isLockWrong },
      canonical,
    ),
    isIncomplete: false,
  };
}

const NOTHING: DriftResult = {
  copies: [],
  findings: [],
  checked: ["nothing compared"],
  count: 0,
  fixes: [],
  isIncomplete: false,
};

/** Compares the registered copies of repositories with the originals and with each other. */
export function driftOfRepositories(
  named: readonly string[],
  canonical: Canonical,
  { cwd, latest }: DriftContext,
): DriftResult {
  const { opened, unreachable } = openRepositories(named, canonical, cwd);
  try {
    const { repositories, replay, checked } = checkRepositories(opened, canonical);
    const copies = repositories.flatMap(({ name, copies }) =>
      copies.map((copy) => ({ ...copy, repository: name })),
    );
    const failures = unreachable.map(({ place, because }) =>
      createFinding({ id: "unreachable", file: place, message: because }),
    );
    const fixes = opened.map((repository, index) => {
      const { copies = [], findings = [] } = repositories[index] ?? {};
      const isLockWrong = repository.lockFaults.length > 0;
      const checked = { copies, findings, isLockWrong };
      return listFixes({ ...repository, latest }, checked, canonical);
    });
    return {
      copies,
      findings: [
        ...failures,
        ...copies.flatMap(({ findings }) => findings),
        ...replay,
        ...repositories.flatMap(({ findings }) => findings),
      ],
      checked: [
        `${formatCount(checked.copies, "copy", "copies")} in ${formatCount(opened.length, "repository", "repositories")}`,
        `${formatCount(checked.records, "record")} replayed`,
        ...describeScan(checked),
      ],
      count: checked.copies,
      fixes: [...new Set(fixes.flat())],
      isIncomplete: unreachable.length > 0,
    };
  } finally {
    for (const { tree } of opened) tree.close();
  }
}

/** A repository that could not be opened. */
export interface Unreachable {
  readonly name: string;
  readonly place: string;
  readonly because: string;
}

interface OpenedRepositories {
  readonly opened: readonly OpenedRepository[];
  readonly unreachable: readonly Unreachable[];
}

/** Opens the repositories of `--repo`. Throws UserError (exit 2) for unregistered names. */
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
      const read = readLockOf(tree);
      const artefacts = canonical.artefactsOf(name, read.lock);
      opened.push({ name, place: tree.name, tree, artefacts, ...read });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreachable.push({ name, place: hideCredentials(place), because: error.message });
    }
  }
  return { opened, unreachable };
}

const FIX = "restore it from git, or rewrite it with sync --force";

/** The lock of a repository. An invalid lock is a finding, with its place and fix. */
export function readLockOf(tree: Tree): Pick<OpenedRepository, "lock" | "lockFaults"> {
  try {
    return { lock: readTreeLock(tree), lockFaults: [] };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { place } = error;
    const source = tree.read(LOCK_FILE)?.toString("utf8");
    const message = `${place.message}: ${FIX}`;
    const finding = createFinding({ ...place, message, ...(source !== undefined && { source }) });
    return { lock: undefined, lockFaults: [finding] };
  }
}
