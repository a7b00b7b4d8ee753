import { groupFindings } from "../src/base/findings/causes.js";
import { FileFault, type Finding, toFindings } from "../src/base/findings/finding.js";
import { type FindingLimits, FindingList } from "../src/base/findings/finding-list.js";
import type { CheckSummary, Report } from "../src/base/findings/report.js";
import { CONFIG_FILE } from "../src/base/package.js";
import { escapeControls, formatCount, formatNumber } from "../src/base/text.js";
import { UserError } from "../src/base/user-error.js";
import { NOT_RUN, NOTHING_CHECKED } from "./baseline.js";
import type { Check, CheckOptions, CheckOutcome } from "./check.js";
import { Workspace } from "./workspace.js";

/** One check with the things that it examined and its findings. */
export interface CheckResult extends CheckOutcome {
  readonly check: Check;
  /** Id of the red check because of which it was not run. */
  readonly waitsFor?: string;
}

export interface RunChecksOptions extends CheckOptions {
  readonly onDone?: (result: CheckResult) => void;
}

/** What a finding that the baseline lists is counted as. */
export const EXPECTED = "expected failure";

/**
 * Runs all checks on the checkout at `root` in parallel, because most of them wait for processes. The results
 * are in the order of the checks. Never throws: if a check throws or examines nothing, that is an error of
 * the check. `onDone` is called whenever one has finished.
 */
export async function runChecks(
  checks: readonly Check[],
  given: Workspace | string,
  { onDone, ...options }: RunChecksOptions = {},
): Promise<CheckResult[]> {
  const workspace = typeof given === "string" ? new Workspace(given) : given;
  const results = new Map<string, Promise<CheckResult>>();
  const run = async (check: Check): Promise<CheckResult> => {
    const waitsFor = await findRed(check.needs ?? [], results);
    const outcome =
      waitsFor === undefined
        ? await runCheck(check, workspace, options)
        : { checked: [], findings: [], waitsFor };
    const result = { check, ...outcome };
    onDone?.(result);
    return result;
  };
  // Later, so that a check finds those that it needs in the map.
  for (const check of checks) results.set(check.id, Promise.resolve(check).then(run));
  return await Promise.all(results.values());
}

/** The first of these checks that is red or was not run itself; those that are not in the run do not count. */
async function findRed(
  needs: readonly string[],
  results: ReadonlyMap<string, Promise<CheckResult>>,
): Promise<string | undefined> {
  for (const id of needs) {
    const result = await results.get(id);
    if (result?.waitsFor !== undefined) return result.waitsFor;
    if (result?.findings.some(({ severity }) => severity === "error")) return id;
  }
  return undefined;
}

async function runCheck(
  check: Check,
  workspace: Workspace,
  options: CheckOptions,
): Promise<CheckOutcome> {
  try {
    const outcome = await check.run(workspace, options);
    const { findings, expected } = options.baseline?.judge(check.id, outcome.findings) ?? {
      findings: outcome.findings,
      expected: 0,
    };
    const checked =
      expected === 0 ? outcome.checked : [...outcome.checked, { count: expected, thing: EXPECTED }];
    const isFailed = findings.some(({ severity }) => severity === "error");
    const [main] = outcome.checked;
    if (isFailed || (main !== undefined && main.count > 0)) {
      return { ...outcome, checked, findings };
    }
    const problem = `examined ${main === undefined ? "nothing" : `no ${main.thing}`}`;
    return {
      checked,
      findings: [...findings, toFailure(check, NOTHING_CHECKED, problem, workspace.isOurs)],
    };
  } catch (error) {
    return { checked: [], findings: describeThrown(check, workspace, error) };
  }
}

function describeThrown(check: Check, workspace: Workspace, error: unknown): Finding[] {
  if (error instanceof FileFault) return toFindings(workspace.root, error.places);
  const reason = error instanceof Error ? error.message : String(error);
  const problem = error instanceof UserError ? reason : `could not run: ${reason}`;
  return [toFailure(check, NOT_RUN, problem, workspace.isOurs)];
}

/** An error of the check itself: in its file, or elsewhere in the configuration, which says what there is to check. */
function toFailure(check: Check, id: string, problem: string, isOurs: boolean): Finding {
  return {
    id,
    severity: "error",
    file: isOurs ? `conformance/checks/${check.id}.ts` : CONFIG_FILE,
    line: 1,
    column: 1,
    pointer: "",
    message: escapeControls(problem),
  };
}

/** The places of fewer findings are worth their lines. */
const MIN_GROUP = 3;

/** How many places of a merged finding are listed. */
const MAX_PLACES = 5;

/** The findings of a check, with those of one cause as one that lists some of the places. */
function mergeByCause(
  findings: readonly Finding[],
  toName: (file: string) => string,
): readonly Finding[] {
  return [...groupFindings(findings, toKey).values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || group.length < MIN_GROUP) return group;
    const places = others
      .slice(0, MAX_PLACES)
      .map(({ file, line, column, pointer }) =>
        escapeControls(`  ${toName(file)}:${line}:${column} ${pointer}`.trimEnd()),
      );
    const rest = others.length - places.length;
    const lines = [
      `the same at ${formatCount(others.length, "other place")}:`,
      ...places,
      ...(rest > 0 ? [`  ... and ${formatNumber(rest)} more`] : []),
    ];
    return [{ ...first, detail: lines.join("\n") }];
  });
}

/** What a finding has in common with those of its cause, wherever they are. One with details is looked at alone. */
function toKey({ id, severity, message, cause = message, detail }: Finding): string | undefined {
  return detail === undefined ? [id, severity, cause].join("\n") : undefined;
}

export interface CheckReportOptions {
  readonly limits: FindingLimits;
  /** The name for the user of a file that a check names relative to the checkout. */
  toName(file: string): string;
}

/** A conformance run as a report for every reporter. */
export function toCheckReport(
  results: readonly CheckResult[],
  { limits, toName }: CheckReportOptions,
): Report {
  const list = new FindingList(limits);
  const checks = results.map(({ check, checked, findings, waitsFor }): CheckSummary => {
    const { id, purpose, fix } = check;
    const found = { error: 0, warning: 0 };
    for (const finding of mergeByCause(findings, toName)) {
      const checked = list.addLocated({ ...finding, check: id, file: toName(finding.file) });
      found[checked.severity] += 1;
    }
    return { id, purpose, fix, checked, found, ...(waitsFor !== undefined && { waitsFor }) };
  });
  const counts = checks.flatMap(({ checked }) => checked.map(({ count }) => count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { ...list.toReport("check"), checked: total, thing: "thing", checks };
}
