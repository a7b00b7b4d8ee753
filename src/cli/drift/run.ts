import { withFetching } from "../../base/files/git.js";
import { createFinding, describeFindings, type Finding } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { toSafeJson } from "../../base/json/print.js";
import { CONFIG_FILE } from "../../base/package.js";
import { escapeControls, formatCount, today } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { acceptFindings } from "../../contract/drift/accept.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import { explainPlace } from "../../contract/drift/explain.js";
import { listFixes } from "../../contract/drift/fixes.js";
import { type Holder, openHolder } from "../../contract/drift/holder.js";
import { openCanonical } from "../../contract/drift/open-canonical.js";
import {
  type CheckedFork,
  type CheckedRepositories,
  checkRepositories,
} from "../../contract/drift/repositories.js";
import { openRepositories } from "../../contract/drift/repository-argument.js";
import { toForkFinding } from "../../contract/drift/scan/forks.js";
import { findUnlisted } from "../../contract/drift/scan-holder.js";
import { openTree } from "../../contract/drift/trees/open.js";
import { ruleIds } from "../../rollouts/wire/validation/rules/index.js";
import type { CommandContext, CommandInput, OptionValues } from "../command.js";
import { describeAccepted, readAcceptance, readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { reportRecovery } from "../summary.js";
import {
  type DriftContext,
  type DriftResult,
  describeCopies,
  describeScan,
  toDriftReport,
} from "./describe.js";
import { describeGradeRule } from "./describe-rule.js";
import { createRuleCheck } from "./rule-check.js";

/** Checks copies, prints their grades, and returns an exit code that reports errors. */
export async function runDrift(input: CommandInput, context: CommandContext): Promise<ExitCode> {
  return await withFetching(input.options.flag("fetch"), () => runPermitted(input, context));
}

async function runPermitted({ options }: CommandInput, context: CommandContext): Promise<ExitCode> {
  const acceptance = readAcceptance(options);
  const canonical = openCanonical(options.optionalText("registry"), context.cwd);
  const explained = options.optionalText("explain");
  if (explained !== undefined) {
    const repositories = options.optionalTexts("repo");
    context.stdout.write(explain(explained, repositories, canonical, context.cwd));
    return EXIT.ok;
  }
  const result = look(options, canonical, context);
  if (acceptance !== undefined) {
    const { left, added } = await acceptFindings(result.findings, acceptance, {
      ...reportRecovery(context),
      canonical,
      ruleIds,
      cwd: context.cwd,
      program: context.program,
    });
    context.stderr.write(describeAccepted(added, acceptance, CONFIG_FILE));
    return print({ ...result, findings: left, fixes: [] }, options, context);
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

function look(
  options: OptionValues,
  canonical: Canonical,
  { cwd, program }: CommandContext,
): DriftResult {
  const folder = options.optionalText("scan");
  if (folder !== undefined) return driftOfFolder(folder, canonical, cwd);
  const repositories = options.optionalTexts("repo");
  const context = { cwd, program, latest: options.flag("latest") };
  return driftOfRepositories(repositories, canonical, context);
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
    const { findings, forks, ...counts } = findUnlisted(tree, holder, canonical);
    return {
      copies: [],
      forks: forks.map((fork) => ({ ...fork, repository: holder.name, replayed: undefined })),
      findings: [
        ...canonical.faults,
        ...holder.faults,
        ...forks.map((fork) => toForkFinding(fork, tree)),
        ...findings,
      ],
      checked: describeScan(counts),
      count: counts.candidates,
      looked: counts.candidates,
      thing: "file",
      place: tree.name,
      fixes: [],
      isIncomplete: canonical.faults.length > 0,
    };
  } finally {
    tree.close();
  }
}

/**
 * Compares the copies of repositories with the originals and with each other; of none that is named, those of this
 * folder with its lock, if it has one.
 */
export function driftOfRepositories(
  named: readonly string[] | undefined,
  canonical: Canonical,
  context: DriftContext,
): DriftResult {
  const { opened, unreachable } = openRepositories(named ?? ["."], {
    canonical,
    ruleIds,
    cwd: context.cwd,
  });
  try {
    const byLock = named === undefined;
    const result = checkHolders(opened, { ...context, canonical, byLock });
    const failures = unreachable.map(({ place, because }) =>
      createFinding({ id: "unreachable", file: place, message: because }),
    );
    const isIncomplete = result.isIncomplete || unreachable.length > 0;
    return { ...result, findings: [...failures, ...result.findings], isIncomplete };
  } finally {
    for (const { tree } of opened) tree.close();
  }
}

/**
 * Explains a file of a finding: a copy or fork, or with a line, a record. Throws UserError: exit 2 if nothing there can be
 * explained, exit 3 if a repository cannot be read.
 */
function explain(
  named: string,
  repositories: readonly string[] | undefined,
  canonical: Canonical,
  cwd: string,
): string {
  const { opened, unreachable } = openRepositories(repositories ?? ["."], {
    canonical,
    ruleIds,
    cwd,
  });
  try {
    const [gone] = unreachable;
    if (gone !== undefined) throw new UserError(`${escapeControls(gone.place)}: ${gone.because}`);
    const lines = explainPlace(named, opened, canonical);
    if (lines !== undefined) return lines.map((line) => `${line}\n`).join("");
    throw new UserError(
      `--explain ${escapeControls(named)}: is no copy, fork or record that differs: name a file of a finding, with its line for a record, as drift prints it`,
      EXIT.usage,
    );
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
  const { canonical, latest, byLock, program } = context;
  const isReadable = ({ faults, tree }: Holder): boolean =>
    faults.length === 0 ||
    (!byLock && faults.every(({ file }) => file !== tree.nameOf(CONFIG_FILE)));
  const readable = holders.filter(isReadable);
  const unreadable = holders.filter((holder) => !isReadable(holder));
  const check = { canonical, today: today(), byLock, findRuleFaults: createRuleCheck(canonical) };
  const { repositories, disagreements, findings, checked, searched } = checkRepositories(
    readable,
    check,
  );
  const fixes = readable.map((holder, index) => {
    const { copies = [], findings = [], isUnread } = repositories[index] ?? {};
    if (isUnread) return [];
    return listFixes(holder, { copies, findings, latest, canonical, program });
  });
  const named = readable.map(({ name }, index) => {
    const { copies = [], forks = [] } = repositories[index] ?? {};
    const repository = name;
    return {
      copies: copies.map((copy) => ({ ...copy, repository })),
      forks: forks.map((fork) => ({ ...fork, repository })),
    };
  });
  const forks = named.flatMap((each) => each.forks);
  const elsewhere = readable.reduce((sum, each) => sum + each.elsewhere.length, 0);
  const unread = repositories.filter(({ isUnread }) => isUnread).length;
  return {
    copies: named.flatMap((each) => each.copies),
    forks,
    findings: [
      ...canonical.faults,
      ...unreadable.flatMap(({ faults }) => faults),
      ...repositories.flatMap((repository) => repository.findings),
      ...findings,
      ...readable.flatMap((holder, index) => findNothing(holder, repositories[index], canonical)),
    ],
    ...(readable.length > 1 && { disagreements }),
    checked: [
      `${formatCount(checked.copies, "copy", "copies")} and ${formatCount(forks.length, "fork")} in ${formatCount(repositories.length - unread, "repository", "repositories")}`,
      ...(checked.originals > 0 ? [formatCount(checked.originals, "original")] : []),
      ...(checked.accepted > 0 ? [`${checked.accepted} accepted by the baseline`] : []),
      `${formatCount(searched.records, "record")} replayed${forks.length > 0 ? ` on ${formatCount(forks.filter(isReplayed).length, "fork")}` : ""}`,
      ...describeScan(searched),
      ...(elsewhere > 0
        ? [`${formatCount(elsewhere, "file")} of other registries not examined`]
        : []),
    ],
    count: checked.copies + searched.fixtures + forks.length,
    looked: checked.present + checked.originals + searched.records + forks.length,
    fixes: [...new Set(fixes.flat())],
    isIncomplete: unreadable.length + unread > 0 || canonical.faults.length > 0,
  };
}

function isReplayed({ replayed }: CheckedFork): boolean {
  return replayed !== undefined && replayed.records > 0;
}

/** A repository without anything to check is named, so that the others do not pass for it. */
function findNothing(
  { tree, name }: Holder,
  checked: CheckedRepositories["repositories"][number] | undefined,
  canonical: Canonical,
): Finding[] {
  if (canonical.originalsIn(tree).length > 0) return [];
  const { copies = [], forks = [], fixtures = [], findings = [] } = checked ?? {};
  if (copies.length + forks.length + fixtures.length + findings.length > 0) return [];
  const message = `has no copy, no fork and no records: nothing was checked in ${name}`;
  const finding = createFinding({ id: "nothing-checked", file: tree.name, message });
  return [{ ...finding, severity: "warning" }];
}
