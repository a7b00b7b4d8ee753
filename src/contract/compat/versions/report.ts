import {
  type ComparedTypes,
  type CorpusDirection,
  type CorpusReport,
  DIFF_REPORT_COMMAND,
  DIFF_REPORT_REPORT_VERSION,
  DIFF_REPORT_TOOL,
  type DiffReport,
  type RangeDiffReport,
} from "#generated/index.js";
import type { Report } from "../../../base/findings/report.js";
import { toCounts } from "../../../base/reporters/json.js";
import { LENSES } from "../change.js";
import { type Verdicts, worstOf } from "../compare-versions.js";
import type { EntryPair } from "../entry-points.js";
import type { Break } from "../findings.js";
import type { CorpusReplay, DirectionReplay } from "../replay-corpus.js";
import type { Direction } from "../schema/schema-set.js";
import { type Choice, chosenVerdict, directionVerdict } from "./choice.js";
import type { ComparedRange, ComparedSchema, Conditions } from "./compare.js";

/** The object that `diff --format json` prints for a range of commits. `report` is that of all schemas. */
export function toRangeReport(
  range: string,
  { compared, uncompared, conditions }: ComparedRange,
  report: Report,
  choice: Choice,
): RangeDiffReport {
  const schemas = compared.map((each) => toDiffReport(each, choice));
  const chosen = chosenVerdict(
    compared.map(({ comparison }) => comparison),
    choice,
  );
  // Of a schema that was not compared, nobody knows.
  const verdict = worstOf(uncompared.length === 0 ? [chosen] : [chosen, "undecided"]);
  return {
    ...toHead(report),
    range,
    verdict,
    schemas,
    not_compared: uncompared.map(({ name, status = "changed", through, message }) => ({
      file: name,
      status,
      ...(through !== undefined && { through: [...through] }),
      message,
    })),
    ...toConditions(conditions),
    findings: schemas.flatMap(({ findings }) => findings),
    summary: toSummary(report),
  };
}

/** The object that `diff --format json` prints: the comparison and the listed findings. */
export function toDiffReport(
  {
    status,
    through,
    renamedFrom,
    versions,
    comparison,
    shown,
    report,
    conditions,
    faults,
  }: ComparedSchema,
  choice: Choice,
  corpus?: CorpusReplay,
): DiffReport {
  const verdict = (direction: Direction) => directionVerdict(comparison, direction, choice);
  return {
    ...toHead(report),
    old: versions.old.source.name,
    new: versions.new.source.name,
    ...(status !== undefined && { status }),
    ...(renamedFrom !== undefined && { renamed_from: renamedFrom }),
    ...(through !== undefined && { through: [...through] }),
    old_dialect: versions.old.dialect.name,
    new_dialect: versions.new.dialect.name,
    compared: [
      ...comparison.entries.map(({ pair }) => toComparedTypes(pair)),
      ...comparison.comparedAlone.map((pair) => ({
        ...toComparedTypes(pair),
        by_itself: true as const,
      })),
    ],
    verdict: chosenVerdict([comparison], choice),
    backward: { verdict: verdict("backward") },
    forward: { verdict: verdict("forward") },
    lenses: LENSES.map((lens) => ({ lens, ...comparison.lenses[lens] })),
    ...toConditions(conditions),
    ...(faults.length > 0 && { not_read: [...faults] }),
    bump: comparison.bump,
    findings: shown.flatMap(({ listed }) => listed),
    changes: shown.map(({ change, path, pointerOld, pointerNew, breaks }) => ({
      rule: change.rule.id,
      name: change.rule.name,
      types: [...change.types],
      path,
      pointer_old: pointerOld,
      pointer_new: pointerNew,
      message: change.message,
      ...toVerdicts(breaks, choice),
    })),
    ...(corpus !== undefined && { corpus: toCorpusReport(corpus) }),
    summary: toSummary(report),
  };
}

function toConditions({
  unchanged,
  notReferredTo,
}: Conditions): Pick<DiffReport, "if_unchanged" | "if_not_referred_to"> {
  return {
    ...(unchanged.length > 0 && { if_unchanged: [...unchanged] }),
    ...(notReferredTo.length > 0 && { if_not_referred_to: [...notReferredTo] }),
  };
}

/** What a change alone does by the modes that the user chose. */
function toVerdicts(breaks: readonly Break[], { lenses }: Choice): Verdicts {
  const chosen = breaks.filter(({ lens }) => lenses.includes(lens));
  const verdict = (wanted: Direction) =>
    worstOf(chosen.flatMap(({ direction, verdict }) => (direction === wanted ? verdict : [])));
  return { backward: verdict("backward"), forward: verdict("forward") };
}

type Head = Pick<DiffReport, "report_version" | "tool" | "version" | "command" | "checked">;

function toHead({ version, checked }: Report): Head {
  return {
    report_version: DIFF_REPORT_REPORT_VERSION,
    tool: DIFF_REPORT_TOOL,
    version,
    command: DIFF_REPORT_COMMAND,
    checked,
  };
}

function toSummary({ found, notListed }: Report): DiffReport["summary"] {
  return { ...toCounts(found), not_listed: toCounts(notListed) };
}

function toComparedTypes({ name, old: older, new: newer }: EntryPair): ComparedTypes {
  return {
    type: name,
    ...(older !== undefined && { pointer_old: older.pointer }),
    ...(newer !== undefined && { pointer_new: newer.pointer }),
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
