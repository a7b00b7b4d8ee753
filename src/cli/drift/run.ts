import { createFinding, describeFindings, type Finding } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { toSafeJson } from "../../base/json/print.js";
import { CONFIG_FILE } from "../../base/package.js";
import { formatCount, hideCredentials, today } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { acceptFindings } from "../../contract/drift/accept.js";
import { type Canonical, openCanonical } from "../../contract/drift/canonical.js";
import { listFixes } from "../../contract/drift/fixes.js";
import { type Holder, openHolder } from "../../contract/drift/holder.js";
import { LOCK_FILE } from "../../contract/drift/lock.js";
import { checkRepositories, findUnlisted } from "../../contract/drift/repositories.js";
import {
  parseRepository,
  repositoryError,
  UNNAMED_REPOSITORY,
} from "../../contract/drift/repository-argument.js";
import { openTree } from "../../contract/drift/trees/open.js";
import type { Tree } from "../../contract/drift/trees/tree.js";
import { ruleIds } from "../../rollouts/wire/validation/rules/index.js";
import type { CommandContext, CommandInput, OptionValues } from "../command.js";
import { readFindingLimits } from "../options.js";
import { printReport, reportRecovery } from "../output.js";
import {
  type DriftContext,
  type DriftResult,
  describeCopies,
  describeScan,
  toDriftReport,
} from "./describe.js";
import { describeGradeRule } from "./describe-rule.js";

/** Checks copies, prints their grades, and returns an exit code that reports errors. */
export async function runDrift(
  { options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const isAccepting = options.optionalText("accept") !== undefined;
  if (!isAccepting && options.optionalText("expires") !== undefined) {
    throw new UserError("--expires requires --accept", EXIT.usage);
  }
  const canonical = openCanonical(options.optionalText("registry"), context.cwd);
  const result = look(options, canonical, context.cwd);
  if (isAccepting) {
    const { left, added, expires } = await acceptFindings(
      result.findings,
      { reason: options.text("accept"), expires: options.optionalText("expires") },
      { ...reportRecovery(context), canonical, ruleIds, cwd: context.cwd },
    );
    context.stderr.write(
      `${formatCount(added, "finding")} accepted until ${expires} in ${CONFIG_FILE}\n`,
    );
    const looked = result.looked + result.findings.length - left.length;
    return print({ ...result, findings: left, looked, fixes: [] }, options, context);
  }
  return print(result, options, context);
}

function print(result: DriftResult, options: OptionValues, context: CommandContext): ExitCode {
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
    printReport(report, format, context, describeGradeRule);
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

/** A run that checked nothing is an error, whatever its severities. Otherwise it would pass for any copies. */
export function requireChecked({
  findings,
  count,
  looked,
  place = ".",
  isIncomplete,
}: DriftResult): readonly Finding[] {
  const isRed = findings.some(({ severity }) => severity === "error");
  if (isIncomplete || looked > 0 || (count > 0 && isRed)) return findings;
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

/** Finds copies and forks in a folder that neither its lock nor its configuration lists, if it has these. */
export function driftOfFolder(place: string, canonical: Canonical, cwd: string): DriftResult {
  const tree = openTree(place, cwd);
  try {
    const holder = openHolder(tree, { canonical, ruleIds });
    const { findings, ...counts } = findUnlisted(tree, holder, canonical);
    return {
      copies: [],
      findings: [...(holder?.faults ?? []), ...findings],
      checked: describeScan(counts),
      count: counts.candidates,
      looked: counts.candidates,
      thing: "file",
      place: tree.name,
      fixes: [],
      isIncomplete: false,
    };
  } finally {
    tree.close();
  }
}

/**
 * Compares the copies in this folder with its lock or, before the first sync, with its configuration. Throws
 * UserError if it has neither.
 */
export function driftOfLock(canonical: Canonical, context: DriftContext): DriftResult {
  const tree = openTree(".", context.cwd);
  const holder = openHolder(tree, { canonical, ruleIds });
  if (holder === undefined) {
    throw new UserError(
      `${LOCK_FILE}: no such file here, nor ${CONFIG_FILE}, so there is nothing to compare with: write a configuration (docs/consumers.md), run sync for this repository, or name others with --repo, or a folder with --scan`,
    );
  }
  return checkHolders([holder], { ...context, canonical, byLock: true });
}

/** Compares the copies of repositories with the originals and with each other. */
export function driftOfRepositories(
  named: readonly string[],
  canonical: Canonical,
  context: DriftContext,
): DriftResult {
  const { opened, unreachable } = openRepositories(named, canonical, context.cwd);
  try {
    const result = checkHolders(opened, { ...context, canonical, byLock: false });
    const failures = unreachable.map(({ place, because }) =>
      createFinding({ id: "unreachable", file: place, message: because }),
    );
    const isIncomplete = result.isIncomplete || unreachable.length > 0;
    return { ...result, findings: [...failures, ...result.findings], isIncomplete };
  } finally {
    for (const { tree } of opened) tree.close();
  }
}

interface HolderContext extends DriftContext {
  readonly canonical: Canonical;
  /** Whether each repository is compared with its own lock. */
  readonly byLock: boolean;
}

/** A repository whose configuration cannot be read is not checked: it may say that a copy lies elsewhere. */
function checkHolders(holders: readonly Holder[], context: HolderContext): DriftResult {
  const { canonical, latest, byLock } = context;
  const isReadable = ({ faults, tree }: Holder): boolean =>
    faults.length === 0 ||
    (!byLock && faults.every(({ file }) => file !== tree.nameOf(CONFIG_FILE)));
  const readable = holders.filter(isReadable);
  const unreadable = holders.filter((holder) => !isReadable(holder));
  const check = { canonical, today: today(), byLock };
  const { repositories, disagreements, findings, checked, searched } = checkRepositories(
    readable,
    check,
  );
  const fixes = readable.map((holder, index) => {
    const { copies = [], findings = [] } = repositories[index] ?? {};
    return listFixes(holder, { copies, findings, latest, canonical });
  });
  return {
    copies: readable.flatMap(({ name }, index) =>
      (repositories[index]?.copies ?? []).map((copy) => ({ ...copy, repository: name })),
    ),
    findings: [
      ...unreadable.flatMap(({ faults }) => faults),
      ...repositories.flatMap((repository) => repository.findings),
      ...findings,
    ],
    ...(readable.length > 1 && { disagreements }),
    checked: [
      `${formatCount(checked.copies, "copy", "copies")} in ${formatCount(readable.length, "repository", "repositories")}`,
      ...(checked.accepted > 0 ? [`${checked.accepted} accepted by the baseline`] : []),
      ...(searched ? [`${formatCount(searched.records, "record")} replayed`] : []),
      ...(searched ? describeScan(searched) : []),
    ],
    count: checked.copies + (searched?.fixtures ?? 0),
    looked: checked.present + checked.accepted + (searched?.records ?? 0),
    fixes: [...new Set(fixes.flat())],
    isIncomplete: unreadable.length > 0,
  };
}

/** A repository that could not be opened. */
interface Unreachable {
  readonly place: string;
  readonly because: string;
}

interface OpenedRepositories {
  readonly opened: readonly Holder[];
  readonly unreachable: readonly Unreachable[];
}

/** Opens the repositories of `--repo`. Throws UserError (exit 2) for unregistered names. */
function openRepositories(
  named: readonly string[],
  canonical: Canonical,
  cwd: string,
): OpenedRepositories {
  const opened: Holder[] = [];
  const trees: Tree[] = [];
  const unreachable: Unreachable[] = [];
  for (const value of named) {
    const { repository, place } = parseRepository(value, canonical.registry);
    try {
      const tree = openTree(place, cwd);
      trees.push(tree);
      const holder = openHolder(tree, { canonical, ruleIds }, repository?.name);
      if (holder === undefined) throw repositoryError(value, UNNAMED_REPOSITORY);
      opened.push(holder);
    } catch (error) {
      if (!(error instanceof UserError) || error.exitCode === EXIT.usage) {
        for (const tree of trees) tree.close();
        throw error;
      }
      unreachable.push({ place: hideCredentials(place), because: error.message });
    }
  }
  return { opened, unreachable };
}
