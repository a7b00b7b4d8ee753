import type {
  ContaminatedRollout,
  Decontamination,
  ExportReport,
  OmittedRollouts,
  ReportedOutput,
  ReportedRange,
} from "#generated/index.js";
import { SecretCounter } from "../../capture/redact/line-redactor.js";
import { OMISSION_REASONS } from "../../wire/export/reasons.js";
import { OUTPUT_KINDS, type OutputKind } from "../../wire/export/targets/target.js";
import { MAX_LISTED } from "../rollout-counts.js";

/** The report of one export of all shards, made of theirs, in order. Lists are cut as in one export. */
export function mergeReports(
  reports: readonly [ExportReport, ...ExportReport[]],
  outputs: ReportedOutput[],
): ExportReport {
  // One without rollouts lacks some fields.
  const base = reports.find(({ sampling }) => sampling !== undefined) ?? reports[0];
  const { shard: _, descriptions: __, ...first } = base;
  const sum = (count: (report: ExportReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const samplings = reports.flatMap(({ sampling }) => sampling ?? []);
  const secrets = new SecretCounter();
  for (const { redacted = {} } of reports) secrets.add(Object.entries(redacted));
  const omitted = joinOmitted(reports.flatMap((report) => report.omitted ?? []));
  return {
    ...first,
    inputs: reports.flatMap(({ inputs }) => inputs),
    outputs,
    lines: addCounts(reports.map(({ lines }) => lines)),
    rollouts: addCounts(reports.map(({ rollouts }) => rollouts)),
    ...(samplings.length > 0 && {
      sampling: {
        temperature: joinRanges(samplings.map(({ temperature }) => temperature)),
        branches: joinRanges(samplings.map(({ branches }) => branches)),
      },
    }),
    not_paired: countReasons(omitted, "dpo"),
    not_demonstrated: countReasons(omitted, "sft"),
    omitted,
    pairs: reports.flatMap(({ pairs = [] }) => pairs).slice(0, MAX_LISTED),
    ...(first.same_acts !== undefined && { same_acts: sum(({ same_acts = 0 }) => same_acts) }),
    passed_over: sum(({ passed_over = 0 }) => passed_over),
    unrewarded: sum(({ unrewarded = 0 }) => unrewarded),
    missing_tools: sum(({ missing_tools = 0 }) => missing_tools),
    unreadable_tool_events: sum((report) => report.unreadable_tool_events),
    ...(first.redacted && { redacted: Object.fromEntries(secrets.counts) }),
    findings: addCounts(reports.map(({ findings }) => findings)),
    decontamination: joinDecontamination(reports.map((report) => report.decontamination)),
  };
}

/** Sums up the numbers of each field. */
function addCounts<Counts extends object>(all: readonly Counts[]): Counts {
  const [first, ...others] = all;
  if (first === undefined) throw new TypeError("there is nothing to sum up");
  const sums: Record<string, number> = {};
  for (const counts of [first, ...others]) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return { ...first, ...sums };
}

function joinRanges(ranges: readonly ReportedRange[]): ReportedRange {
  return {
    least: Math.min(...ranges.map(({ least }) => least)),
    most: Math.max(...ranges.map(({ most }) => most)),
  };
}

/** Joins those of one kind of record and one reason, in the order of both. */
function joinOmitted(all: readonly OmittedRollouts[]): OmittedRollouts[] {
  const joined = new Map<string, OmittedRollouts>();
  for (const each of all) {
    const key = JSON.stringify([each.kind, each.reason]);
    const known = joined.get(key) ?? { ...each, count: 0, rollouts: [] };
    const rollouts = [...known.rollouts, ...each.rollouts].slice(0, MAX_LISTED);
    joined.set(key, { ...known, count: known.count + each.count, rollouts });
  }
  const order: readonly string[] = [...OUTPUT_KINDS, ...OMISSION_REASONS];
  return [...joined.values()].sort(
    (a, b) =>
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      order.indexOf(a.reason) - order.indexOf(b.reason),
  );
}

function countReasons(
  omitted: readonly OmittedRollouts[],
  kind: OutputKind,
): Record<string, number> {
  const own = omitted.filter((each) => each.kind === kind);
  return Object.fromEntries(own.map(({ reason, count }) => [reason, count]));
}

/** What is equal in all shards, with sums of what is not. */
function joinDecontamination(all: readonly Decontamination[]): Decontamination {
  const [first = { performed: false }] = all;
  if (!first.performed) return first;
  const sum = (name: "texts" | "only_boilerplate" | "below_min_overlap"): number =>
    all.reduce((total, each) => total + (each[name] ?? 0), 0);
  const contaminated: readonly ContaminatedRollout[] = all.flatMap(
    (each) => each.contaminated ?? [],
  );
  return {
    ...first,
    texts: sum("texts"),
    only_boilerplate: sum("only_boilerplate"),
    below_min_overlap: sum("below_min_overlap"),
    contaminated: contaminated.slice(0, MAX_LISTED),
  };
}
