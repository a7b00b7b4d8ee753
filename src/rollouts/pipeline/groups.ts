import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RowLog } from "../../base/files/row-log.js";
import { groupBy } from "../../base/group-by.js";
import type { LinePosition } from "./positions.js";
import type { BranchLine } from "./reread.js";

/** Maximum number of positions in memory: about 15 MB. */
const POSITIONS_IN_MEMORY = 2 ** 16;
/** Maximum number of open files. Beyond 17 million positions the shares become larger instead. */
const MAX_SHARES = 256;

type Positioned = Pick<LinePosition, "hash" | "input" | "offset">;

/**
 * Groups the positions of a log by hash. Groups are ordered by first appearance; the positions of each keep the
 * order of the log, which is that of inputs and offsets. Takes linear time, and memory does not grow with the
 * log: positions are distributed by hash over files in `folder` (as in a Grace hash join), grouped share by
 * share, and merged.
 */
export function* groupPositions<Row extends Positioned>(
  log: RowLog<Row>,
  folder: string,
  maxInMemory: number = POSITIONS_IN_MEMORY,
): Generator<readonly Row[]> {
  const count = Math.min(MAX_SHARES, Math.ceil(log.size / maxInMemory));
  if (count <= 1) return yield* groupByHash(log);
  const shares: RowLog<Row>[] = [];
  // A folder of its own, because a log may be grouped twice.
  const own = mkdtempSync(join(folder, "shares-"));
  try {
    for (let share = 0; share < count; share += 1) {
      shares.push(new RowLog(join(own, `share-${share}`), log.codec));
    }
    for (const position of log.read()) shares[position.hash % count]?.add(position);
    for (const share of shares) {
      const groups = groupByHash(share);
      share.clear();
      for (const group of groups) for (const position of group) share.add(position);
    }
    yield* mergeGroups(shares.map((share) => adjacentGroups(share.read())));
  } finally {
    for (const share of shares) share.close();
    rmSync(own, { recursive: true, force: true });
  }
}

/** Groups a log in memory. */
function groupByHash<Row extends Positioned>(log: RowLog<Row>): Iterable<readonly Row[]> {
  return groupBy(log.read(), ({ hash }) => hash).values();
}

/** Merges the sources: repeatedly yields the earliest of their next groups. */
function* mergeGroups<Row extends Positioned>(
  sources: readonly Generator<readonly Row[]>[],
): Generator<readonly Row[]> {
  const heads = sources.map((source) => ({ source, next: source.next() }));
  for (;;) {
    let earliest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done === true) continue;
      if (earliest === undefined || isBefore(head.next.value, earliest.next.value)) earliest = head;
    }
    if (earliest === undefined || earliest.next.done === true) return;
    yield earliest.next.value;
    earliest.next = earliest.source.next();
  }
}

function isBefore([a]: readonly Positioned[], [b]: readonly Positioned[]): boolean {
  if (a === undefined || b === undefined) return false;
  return a.input < b.input || (a.input === b.input && a.offset < b.offset);
}

/** Groups of consecutive positions with the same hash. */
export function* adjacentGroups<Row extends Pick<LinePosition, "hash">>(
  positions: Iterable<Row>,
): Generator<Row[]> {
  let group: Row[] = [];
  for (const position of positions) {
    if (group.length > 0 && group[0]?.hash !== position.hash) {
      yield group;
      group = [];
    }
    group.push(position);
  }
  if (group.length > 0) yield group;
}

/** Splits rows with the same hash by their other hash: two ids may collide in one hash, but not in both. */
export function splitCollisions<Row extends { readonly otherHash: number }>(
  rows: readonly Row[],
): Iterable<readonly Row[]> {
  const [first] = rows;
  if (rows.every(({ otherHash }) => otherHash === first?.otherHash)) return [rows];
  return groupBy(rows, ({ otherHash }) => otherHash).values();
}

/** Groups lines with the same hash by rollout: the hashes of two ids may collide. */
export function groupById(lines: readonly BranchLine[]): (readonly BranchLine[])[] {
  const id = lines[0]?.branch.rollout_id;
  // The usual case; it needs no map.
  if (id !== undefined && lines.every(({ branch }) => branch.rollout_id === id)) return [lines];
  return [...groupBy(lines, ({ branch }) => branch.rollout_id).values()];
}
