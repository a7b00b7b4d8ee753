import { entryTypes } from "#generated/index.js";
import { quoteForShell } from "../text.js";
import { causeOf, groupFindings } from "./causes.js";
import type { Finding, Severity } from "./finding.js";
import type { Report, SeverityCounts } from "./report.js";

/** A finding that is shown, with those of the same cause that are not. */
export interface ShownFinding {
  readonly finding: Finding;
  /** Number of further findings with its cause in the same file, listed or not. */
  readonly more: number;
  /** How all of them are fixed, if the cause says it and no finding before has the same fix. */
  readonly fix: string | undefined;
}

/** The findings of a report, each cause once. */
export interface GroupedFindings {
  readonly shown: readonly ShownFinding[];
  /** Number of findings that are neither shown nor counted with one that is. */
  readonly rest: SeverityCounts;
}

/** The places of fewer findings are worth their lines. */
const MIN_GROUP = 5;

/** Groups the findings about records by their causes, in the order of the first of each. */
export function groupByCause({
  findings,
  notListed,
  unlistedCauses,
  thing,
}: Pick<Report, "findings" | "notListed" | "unlistedCauses" | "thing">): GroupedFindings {
  const groups = groupFindings(findings, (finding) =>
    thing === "record" && finding.detail === undefined ? causeOf(finding) : undefined,
  );
  const rest: Record<Severity, number> = { ...notListed };
  const shown = new Map<Finding, ShownFinding>();
  const fixes = new Set<string>();
  for (const [cause, group] of groups) {
    const [first] = group;
    const unlisted = unlistedCauses?.get(cause) ?? 0;
    const total = group.length + unlisted;
    if (first === undefined) continue;
    if (total < MIN_GROUP && unlisted === 0) {
      for (const finding of group) shown.set(finding, { finding, more: 0, fix: undefined });
      continue;
    }
    rest[first.severity] -= unlisted;
    const found = findFix(first);
    const fix = found !== undefined && fixes.has(found) ? undefined : found;
    if (fix !== undefined) fixes.add(fix);
    shown.set(first, { finding: first, more: total - 1, fix });
  }
  return { shown: findings.flatMap((finding) => shown.get(finding) ?? []), rest };
}

const UNRANKED = new Set(requiredBy("RolloutBranch"));

/** Fields that only ranked records have. */
const RANKS = new Set(requiredBy("RolloutBranchRecord").filter((field) => !UNRANKED.has(field)));

function requiredBy(type: string): readonly string[] {
  return entryTypes.find(({ name }) => name === type)?.required ?? [];
}

/** How to fix what many records of a file have in common. */
function findFix({ id, file, pointer, cause = "" }: Finding): string | undefined {
  const input = quoteForShell(file === "<stdin>" ? "FILE" : file);
  const rank = `rollout-wire rank --input ${input} --output ranked.jsonl`;
  switch (id) {
    case "required":
      return RANKS.has(cause.split("\n").at(-1) ?? "") ? rank : undefined;
    case "minimum":
      return pointer === "/rank" ? rank : undefined;
    case "zero-based-ranks":
    case "rank-permutation":
    case "rank-follows-score":
      return rank;
    case "tool-event-dialect":
      return "name the tool in data.toolName, or --rule tool-event-dialect=off: export reads every dialect";
    case "anyOf":
      return `rollout-wire validate --type NAME ${input}`;
    default:
      return undefined;
  }
}
