import { alignColumns, formatCount, formatNumber } from "../../base/text.js";
import { truncate } from "./columns.js";
import { type Distribution, describeBin, formatValue } from "./distribution.js";
import type { RolloutStats } from "./rollout-stats.js";
import { explainOutcome } from "./rollout-view.js";

/** Characters of the longest bar. */
const BAR_WIDTH = 40;

/** Blocks of an eighth to eight eighths of a character. */
const BLOCKS = "▏▎▍▌▋▊▉█";

/** A row of a chart. */
type Row = readonly [label: string, count: number, note?: string];

/** The numbers of many rollouts, as lines with bars. `target` is the trainer that the pairs are for. */
export function describeStats(stats: RolloutStats, target: string): string[] {
  const reasons = [...stats.reasons].sort(([, a], [, b]) => b - a);
  const branches = sumOf(stats.verdicts);
  return [
    `${formatCount(stats.rollouts, "rollout")}, ${formatCount(branches, "branch", "branches")}, ${formatCount(stats.pairs, "pair")} for ${target}`,
    "",
    "rollouts by outcome",
    ...drawBars([
      ["pair", stats.pairs],
      ...reasons.map(([reason, count]): Row => [reason, count, explainOutcome(reason)]),
    ]),
    "",
    "branches by verdict",
    ...drawBars([...stats.verdicts].sort(([, a], [, b]) => b - a)),
    ...drawDistribution("branches of a rollout", stats.branches),
    ...drawDistribution("total score of a branch", stats.scores),
    ...drawDistribution("assistant turns of a branch", stats.sizes.turns),
    ...drawDistribution("characters of a branch", stats.sizes.characters),
    ...drawDistribution("assistant turn in which a pair parts", stats.divergenceTurns),
    ...drawTools(stats),
  ];
}

/** Tools that are listed. */
const MAX_TOOLS = 20;

function drawTools({ tools }: RolloutStats): string[] {
  if (tools.length === 0) return [];
  const rows = tools
    .slice(0, MAX_TOOLS)
    .map(
      ([name, { calls, failed }]): Row => [
        truncate(name, BAR_WIDTH),
        calls,
        failed === 0 ? "" : `${formatNumber(failed)} failed`,
      ],
    );
  const more = tools.length - rows.length;
  return [
    "",
    "calls by tool",
    ...drawBars(rows),
    ...(more > 0 ? [`  ... and ${formatCount(more, "more tool")}`] : []),
  ];
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function drawDistribution(title: string, distribution: Distribution): string[] {
  const { size, least, median = 0, most } = distribution;
  if (size === 0) return [];
  const range = [least, median, most].map(formatValue);
  return [
    "",
    `${title}: ${range[0]} to ${range[2]}, median ${range[1]}`,
    ...drawBars(distribution.bins().map((bin) => [describeBin(bin), bin.count])),
  ];
}

function drawBars(rows: readonly Row[]): string[] {
  const most = Math.max(...rows.map(([, count]) => count));
  const cells = rows.map(([label, count, note = ""]) => [
    label,
    formatNumber(count),
    [drawBar(count / most), note].filter((part) => part !== "").join("  "),
  ]);
  return alignColumns(cells, { isNumber: (column) => column === 1 }).map((line) => `  ${line}`);
}

/** A bar for a share from 0 to 1. What is not nothing has at least an eighth of a block. */
function drawBar(share: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * BAR_WIDTH * BLOCKS.length)) : 0;
  const whole = "█".repeat(Math.floor(eighths / BLOCKS.length));
  return whole + (BLOCKS[(eighths % BLOCKS.length) - 1] ?? "");
}
