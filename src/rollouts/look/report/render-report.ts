import { packageVersion } from "../../../base/package.js";
import {
  type PageAssets,
  type PageProgram,
  packJson,
  renderPage,
} from "../../../base/page/page.js";
import { formatCount } from "../../../base/text.js";
import type { TargetId } from "../../wire/export/targets/index.js";
import { countInBins, Distribution } from "../distribution.js";
import type { RolloutStats } from "../rollout-stats.js";
import type { CollectedRollouts } from "./collect.js";
import type {
  Histogram,
  PackedRollout,
  ReportIndex,
  ReportTotals,
  RolloutRow,
} from "./report-data.js";
import type { RolloutLog } from "./rollout-log.js";
import { orderForSample } from "./sample.js";

export const ROLLOUTS_PAGE: PageProgram = {
  name: "rollouts",
  module: "src/rollouts/look/report/app/rollouts.tsx",
};

/** Bytes of JSON that are packed together: opening a rollout unpacks one chunk. */
const CHUNK_BYTES = 2 ** 18;

export interface RenderSettings {
  readonly command: string;
  readonly target: TargetId;
  /** Hash of the schema of rollouts, as `rollout-wire check` names it. */
  readonly contract: string;
  /** Maximum size of the page in bytes. A page of one chunk may be larger. */
  readonly maxBytes: number;
  /** Determines which rollouts are in a page that has no room for all. */
  readonly seed: number;
}

/** A page as pieces of text, and how many of the rollouts that it could have are in it. */
interface RenderedPage {
  readonly html: readonly string[];
  readonly bytes: number;
  readonly count: number;
}

/** Renders one page with as many rollouts as it has room for. */
export function renderReport(
  collected: CollectedRollouts,
  log: RolloutLog,
  assets: PageAssets,
  settings: RenderSettings,
): RenderedPage {
  const { maxBytes, seed } = settings;
  const order = orderForSample(log.entries, seed);
  return fillPage(order, log, assets, settings, (sample) => {
    const leftOut = order.length - sample.rows.length;
    return {
      ...createIndex(collected, sample, settings),
      sample: leftOut === 0 ? undefined : { leftOut, maxBytes, seed },
      part: undefined,
    };
  });
}

/** Renders all rollouts in the order of the inputs, on as many pages as they take: see `nameOfPage`. */
export function* renderPages(
  collected: CollectedRollouts,
  log: RolloutLog,
  assets: PageAssets,
  settings: RenderSettings,
): Generator<RenderedPage> {
  const { length } = log.entries;
  let number = 1;
  for (let start = 0; start < length; number += 1) {
    const order = Array.from({ length: length - start }, (_, at) => start + at);
    const page = fillPage(order, log, assets, settings, (sample) => {
      const last = start + sample.rows.length;
      const part = {
        ...{ first: start + 1, last },
        previous: number === 1 ? undefined : nameOfPage(number - 1),
        next: last === length ? undefined : nameOfPage(number + 1),
      };
      return { ...createIndex(collected, sample, settings), sample: undefined, part };
    });
    yield page;
    start += page.count;
  }
}

/** The file of a page by its number, from 1. */
export function nameOfPage(number: number): string {
  return number === 1 ? "index.html" : `page-${number}.html`;
}

/** Fills a page with the first rollouts of `order`: at least one chunk, so that no rollout is too long for any page. */
function fillPage(
  order: readonly number[],
  log: RolloutLog,
  assets: PageAssets,
  { maxBytes }: RenderSettings,
  toIndex: (sample: Sample) => ReportIndex,
): RenderedPage {
  // The index is packed last, so its size is estimated first, and what is too much is taken back.
  for (let room = maxBytes; ; ) {
    const sample = packSample(order, log, room - assets.script.length - assets.styles.length);
    const index = toIndex(sample);
    const title = `${formatCount(index.totals.rollouts, "rollout")} · rollout-wire`;
    const { chunks, rows } = sample;
    const html = [...renderPage({ title, ...assets, index: packJson(index), chunks })];
    const bytes = html.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    if (bytes <= maxBytes || chunks.length <= 1) return { html, bytes, count: rows.length };
    room -= bytes - maxBytes;
  }
}

/** The rollouts of a page in the order of the inputs. */
interface Sample {
  readonly rows: readonly RolloutRow[];
  /** Where each is packed: chunk, and index in it. */
  readonly places: readonly (readonly [chunk: number, at: number])[];
  readonly chunks: readonly string[];
}

function packSample(order: readonly number[], log: RolloutLog, room: number): Sample {
  const chunks: string[] = [];
  const taken: { readonly index: number; row: RolloutRow; place: readonly [number, number] }[] = [];
  let pending: PackedRollout[] = [];
  let pendingBytes = 0;
  let size = 0;
  const flush = (): void => {
    if (pending.length === 0) return;
    const chunk = packJson(pending);
    size += chunk.length + FRAME;
    chunks.push(chunk);
    pending = [];
    pendingBytes = 0;
  };
  for (const index of order) {
    const entry = log.entries[index];
    if (entry === undefined) continue;
    const { row, packed } = log.read(entry);
    taken.push({ index, row, place: [chunks.length, pending.length] });
    pending.push(packed);
    pendingBytes += entry.length;
    size += ROW;
    if (pendingBytes >= CHUNK_BYTES) flush();
    if (size > room) break;
  }
  flush();
  while (size > room && chunks.length > 1) {
    const last = chunks.length - 1;
    size -= (chunks.pop()?.length ?? 0) + FRAME;
    while (taken.at(-1)?.place[0] === last) {
      taken.pop();
      size -= ROW;
    }
  }
  taken.sort((a, b) => a.index - b.index);
  return { chunks, rows: taken.map(({ row }) => row), places: taken.map(({ place }) => place) };
}

/** Characters around a chunk, and about those of a row in the index. */
const [FRAME, ROW] = [70, 60];

function createIndex(
  { inputs, stats, contaminated, counts, unplaced }: CollectedRollouts,
  { rows, places }: Sample,
  { command, target, contract }: RenderSettings,
): Omit<ReportIndex, "sample" | "part"> {
  return {
    command,
    versions: [
      ["rollout-wire", packageVersion()],
      ["contract", contract],
    ],
    inputs,
    target,
    totals: sumUp(stats, contaminated, counts),
    histograms: drawHistograms(stats),
    rows,
    places,
    findings: unplaced,
  };
}

/** Tools that are listed. */
const MAX_TOOLS = 50;

function sumUp(
  stats: RolloutStats,
  contaminated: number | undefined,
  { error, warning, byId }: CollectedRollouts["counts"],
): ReportTotals {
  const outcomes: ReportTotals["outcomes"] = [["pair", stats.pairs], ...stats.reasons];
  return {
    rollouts: stats.rollouts,
    branches: [...stats.verdicts.values()].reduce((sum, count) => sum + count, 0),
    pairs: stats.pairs,
    contaminated,
    errors: error,
    warnings: warning,
    outcomes: byCount(outcomes.filter(([, count]) => count > 0)),
    verdicts: byCount([...stats.verdicts]),
    tools: stats.tools
      .slice(0, MAX_TOOLS)
      .map(([name, { calls, failed }]) => [name, calls, failed] as const),
    findings: byCount([...byId]),
  };
}

function byCount<Key>(counts: readonly (readonly [Key, number])[]): (readonly [Key, number])[] {
  return counts.toSorted(([, a], [, b]) => b - a);
}

function drawHistograms({
  branches,
  scores,
  sizes,
  chosen,
  rejected,
  divergenceTurns,
}: RolloutStats): Histogram[] {
  const sides = ["chosen", "rejected"];
  return [
    drawHistogram("Branches of a rollout", ["rollouts"], [branches]),
    drawHistogram("Total score of a branch", ["branches"], [scores]),
    drawHistogram("Assistant turns of a branch", ["branches"], [sizes.turns]),
    drawHistogram("Turn in which a pair parts", ["pairs"], [divergenceTurns]),
    drawHistogram("Assistant turns of a pair", sides, [chosen.turns, rejected.turns]),
    drawHistogram("Characters of a pair", sides, [chosen.characters, rejected.characters]),
  ].filter(({ bins }) => bins.length > 0);
}

function drawHistogram(
  title: string,
  series: readonly string[],
  distributions: readonly Distribution[],
): Histogram {
  return {
    title,
    series: series.map((name, index) => {
      const { least, median = 0, most, size } = distributions[index] ?? new Distribution();
      return { name, least, median, most, size };
    }),
    bins: countInBins(distributions),
  };
}
