/** The interface of this folder for the command `check`, which loads this module only when it runs. */

import type { Report } from "../src/base/findings/report.js";
import { CONFIG_FILE } from "../src/base/package.js";
import {
  alignColumns,
  escapeControls,
  formatCount,
  previewValue,
  suggestName,
} from "../src/base/text.js";
import { EXIT, UserError } from "../src/base/user-error.js";
import type { Acceptance } from "../src/contract/drift/accept.js";
import { parseAdapterCommand } from "./agreement/adapter.js";
import { type Baseline, readBaseline } from "./baseline.js";
import type { Check } from "./check.js";
import { golden } from "./checks/golden.js";
import { checks } from "./checks/index.js";
import type { WrittenFixtures } from "./coverage/write.js";
import { updateGolden } from "./golden/golden.js";
import {
  type CheckReportOptions,
  type CheckResult,
  EXPECTED,
  runChecks,
  toCheckReport,
} from "./run.js";
import { Workspace, whyNoFixtures } from "./workspace.js";

/** One line per check: its id and purpose. */
export function listChecks(): string {
  const lines = alignColumns(checks.map(({ id, purpose }) => [id, purpose]));
  return lines.map((line) => `  ${line}\n`).join("");
}

/**
 * Opens the repository at `root`. Throws UserError, and FileFault if its configuration is invalid, if nothing says where
 * its schemas are.
 */
export async function openWorkspace(root: string): Promise<Workspace> {
  const { readPlan } = await import("./generator.js");
  if (readPlan(root) !== undefined) return new Workspace(root);
  throw new UserError(
    `${CONFIG_FILE} names no schemas that this repository owns: have init --write find them; for copies of schemas that others own, run drift`,
  );
}

/** Selects the checks to run. */
export interface Choice {
  /** Ids. Default: all checks. */
  readonly only: readonly string[] | undefined;
  /** Commands of foreign implementations. Default: none. */
  readonly adapters: readonly string[] | undefined;
}

/**
 * The chosen checks of those that have something to examine in this repository. Throws UserError for an unknown id, for a
 * check that has nothing to examine, and for adapters that no chosen check runs: before the first check starts, because
 * some take a minute.
 */
export function chooseChecks({ only, adapters }: Choice, workspace: Workspace): readonly Check[] {
  requireIds(only ?? []);
  const chosen = checks.filter((check) => {
    const why = check.whyNot?.(workspace);
    if (only === undefined) return why === undefined;
    if (!only.includes(check.id)) return false;
    if (why === undefined) return true;
    throw new UserError(`--only ${check.id}: is not for this repository: ${why}`, EXIT.usage);
  });
  if (adapters !== undefined) requireAdapterCheck(chosen);
  if (workspace.isOurs) return chosen;
  return chosen.map((check) => ({ ...check, fix: check.fixElsewhere ?? check.fix }));
}

function requireIds(only: readonly string[]): void {
  const ids = checks.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  throw new UserError(
    `--only: no check is called ${previewValue(unknown)}${suggestName(unknown, ids)}`,
    EXIT.usage,
  );
}

/** Adapters that no check runs would be silently ignored. */
function requireAdapterCheck(chosen: readonly Check[]): void {
  if (chosen.some(({ takesAdapters }) => takesAdapters)) return;
  const ids = checks.filter(({ takesAdapters }) => takesAdapters).map(({ id }) => id);
  throw new UserError(`--adapter is for the check ${ids.join(", ")}: name it too`, EXIT.usage);
}

/** What the user said of expected failures. */
export interface BaselineChoice {
  /** Path of the file, as the user named it. */
  readonly file: string;
  readonly cwd: string;
  /** Whether what remains of the findings is entered in it. */
  readonly acceptance: Acceptance | undefined;
}

/** Why nobody can expect findings of a check in this repository; undefined if it is one of its checks. */
function whyNoCheck(id: string, workspace: Workspace): string | undefined {
  const check = checks.find((each) => each.id === id);
  if (check === undefined) return `no check is called ${previewValue(id)}`;
  const why = check.whyNot?.(workspace);
  return why === undefined ? undefined : `is not for this repository: ${why}`;
}

/** The members of the configuration without which some checks have nothing to examine here. */
export function listUnconfigured(workspace: Workspace): readonly string[] {
  const members = checks.flatMap(({ configuredBy, whyNot }) =>
    configuredBy === undefined || whyNot?.(workspace) === undefined ? [] : [configuredBy],
  );
  return [...new Set(members)];
}

export interface GateOptions extends CheckReportOptions {
  /** Commands of foreign implementations. */
  readonly adapters: readonly string[];
  /** Called with the id of each check that has finished. */
  readonly onDone: (id: string) => void;
  /** Default: no failure is expected. */
  readonly baseline?: BaselineChoice | undefined;
}

export interface GateOutcome {
  readonly report: Report;
  /** Number of expected failures. */
  readonly expected: number;
  /** Number of findings that were entered in the baseline. */
  readonly accepted: number;
  /** What a reader of the counts should know, each with the name of the check. */
  readonly notes: readonly string[];
}

/**
 * Runs checks on a repository. Throws UserError (exit 3) for a baseline that cannot be read or written, the former before
 * the first check starts.
 */
export async function runGate(
  chosen: readonly Check[],
  workspace: Workspace,
  { adapters, onDone, baseline: choice, ...options }: GateOptions,
): Promise<GateOutcome> {
  const baseline =
    choice &&
    readBaseline(choice.file, {
      root: workspace.root,
      cwd: choice.cwd,
      whyNot: (id) => whyNoCheck(id, workspace),
      isNew: choice.acceptance !== undefined,
    });
  const found = await runChecks(chosen, workspace, {
    adapters: adapters.map(parseAdapterCommand),
    onDone: ({ check }) => onDone(check.id),
    baseline,
  });
  const { results, added } = await acceptResults(found, baseline, choice?.acceptance);
  const counts = results.flatMap(({ checked }) =>
    checked.filter(({ thing }) => thing === EXPECTED),
  );
  const expected = counts.reduce((sum, { count }) => sum + count, 0);
  const notes = results.flatMap(({ check, notes = [] }) =>
    notes.map((note) => `${check.id}: ${note}`),
  );
  return { report: toCheckReport(results, options), expected, accepted: added, notes };
}

/** Enters findings in the baseline, if the user wants that, and leaves them out of the results. */
async function acceptResults(
  results: readonly CheckResult[],
  baseline: Baseline | undefined,
  acceptance: Acceptance | undefined,
): Promise<{ readonly results: readonly CheckResult[]; readonly added: number }> {
  if (baseline === undefined || acceptance === undefined) return { results, added: 0 };
  const remaining = new Map(results.map(({ check, findings }) => [check.id, findings]));
  const { left, added } = await baseline.accept(remaining, acceptance);
  const kept = results.map((result) => {
    return { ...result, findings: left.get(result.check.id) ?? [] };
  });
  return { results: kept, added };
}

/**
 * The constraint coverage of a repository as text, and whether its fixtures kill as many mutants as it demands. Throws
 * UserError if it names no fixtures.
 */
export async function printCoverage(
  workspace: Workspace,
): Promise<{ readonly text: string; readonly isEnough: boolean }> {
  const why = whyNoFixtures(workspace);
  if (why !== undefined) throw new UserError(`--coverage-report: ${why}`, EXIT.usage);
  const { isEnough } = await import("./coverage/coverage.js");
  const { createCoverageReport, describeCoverage } = await import("./coverage/report.js");
  const coverage = await workspace.measure();
  const text = describeCoverage(createCoverageReport(coverage));
  return { text, isEnough: isEnough(coverage, workspace.leastCoverage) };
}

/** Writes missing fixtures into the suites of a repository. Throws UserError if it names no fixtures, or one has a fault. */
export async function writeMissing(workspace: Workspace): Promise<WrittenFixtures> {
  const why = whyNoFixtures(workspace);
  if (why !== undefined) throw new UserError(`--write-fixtures: ${why}`, EXIT.usage);
  const { writeFixtures } = await import("./coverage/write.js");
  return await writeFixtures(workspace);
}

/** What `check --write-golden` did. */
export interface WrittenGolden {
  /** Lines for people. */
  readonly text: string;
  readonly isWritten: boolean;
}

/** Rewrites the golden outputs of a repository, and says what changed. Throws UserError if it has none. */
export async function rewriteGolden(workspace: Workspace): Promise<WrittenGolden> {
  const why = golden.whyNot?.(workspace);
  if (why !== undefined) throw new UserError(`--write-golden: ${why}`, EXIT.usage);
  const { findings, outputs, isWritten } = await updateGolden(workspace);
  const changes = findings.map(({ file, line, message, detail }) => {
    const lines = detail === undefined ? [] : detail.split("\n").map((text) => `        ${text}`);
    return [`${escapeControls(file)}:${line}  ${message}`, ...lines, ""].join("\n");
  });
  const changed = new Set(findings.map(({ file }) => file)).size;
  const summary = isWritten
    ? `golden outputs: ${formatCount(outputs, "file")}, ${changed} changed in ${formatCount(findings.length, "place")}\n`
    : "nothing written: fix the commands and their inputs first\n";
  return { text: [...changes, summary].join(""), isWritten };
}
