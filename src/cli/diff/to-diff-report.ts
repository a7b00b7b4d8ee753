import {
  type CorpusDirection,
  type CorpusReport,
  DIFF_REPORT_COMMAND,
  DIFF_REPORT_REPORT_VERSION,
  DIFF_REPORT_TOOL,
  type DiffFinding,
  type DiffReport,
} from "#generated/index.js";
import { LENSES } from "../../compat/change.js";
import type { CorpusReplay, DirectionReplay } from "../../compat/replay-corpus.js";
import { toCounts } from "../../reporters/json.js";
import type { Report } from "../../reporters/reporter.js";
import type { ComparedSources } from "./compare-sources.js";

export interface PrintedDiff {
  readonly report: Report;
  /** Those that are listed. */
  readonly findings: readonly DiffFinding[];
  readonly corpus: CorpusReplay | undefined;
}

/** The object that `diff --format json` prints: the comparison, and the listed ones of its findings. */
export function toDiffReport(
  { versions, comparison, changes }: ComparedSources,
  { report, findings, corpus }: PrintedDiff,
): DiffReport {
  const { version, checked, found, notListed } = report;
  return {
    report_version: DIFF_REPORT_REPORT_VERSION,
    tool: DIFF_REPORT_TOOL,
    version,
    command: DIFF_REPORT_COMMAND,
    checked,
    old: versions.old.source.name,
    new: versions.new.source.name,
    backward: { verdict: comparison.backward },
    forward: { verdict: comparison.forward },
    lenses: LENSES.map((lens) => ({ lens, ...comparison.lenses[lens] })),
    bump: comparison.bump,
    findings: [...findings],
    changes: changes.map(({ change, path, pointerOld, pointerNew }) => ({
      rule: change.rule.id,
      name: change.rule.name,
      types: [...change.types],
      path,
      pointer_old: pointerOld,
      pointer_new: pointerNew,
      message: change.message,
      backward: change.effects.validate.backward.verdict,
      forward: change.effects.validate.forward.verdict,
    })),
    ...(corpus !== undefined && { corpus: toCorpusReport(corpus) }),
    summary: { ...toCounts(found), not_listed: toCounts(notListed) },
  };
}

function toCorpusReport({
  records,
  rejected,
  unreadable,
  backward,
  forward,
}: CorpusReplay): CorpusReport {
  return {
    records,
    rejected,
    unreadable,
    backward: toDirection(backward),
    forward: toDirection(forward),
  };
}

function toDirection({ accepted, broken, first }: DirectionReplay): CorpusDirection {
  return {
    accepted,
    broken,
    ...(first !== undefined && { first: { ...first } }),
  };
}
