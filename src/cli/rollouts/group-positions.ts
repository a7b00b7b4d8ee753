import { join } from "node:path";
import { adjacentGroups } from "./adjacent-groups.js";
import type { LinePosition } from "./line-position.js";
import { RowLog } from "./row-log.js";

/** Positions that are held in memory at a time: some 60 MB. */
const POSITIONS_IN_MEMORY = 2 ** 18;
/** Files that are open at a time; beyond 67 million positions the shares grow instead. */
const MAX_SHARES = 256;

/** A position, or more than that. */
type Positioned = Pick<LinePosition, "hash" | "input" | "offset">;

/**
 * The positions of a log grouped by hash: groups in order of first appearance, each in the order of the
 * log, which is that of inputs and offsets. Linear in the log, and memory does not grow with it: the
 * positions are first distributed over shares by their hashes (as a Grace hash join does it), in files in
 * `folder`, then grouped share by share, and at last merged.
 */
export function* groupPositions<Row extends Positioned>(
  log: RowLog<Row>,
  folder: string,
  maxInMemory: number = POSITIONS_IN_MEMORY,
): Generator<readonly Row[]> {
  const count = Math.min(MAX_SHARES, Math.ceil(log.size / maxInMemory));
  if (count <= 1) return yield* groupByHash(log);
  const shares: RowLog<Row>[] = [];
  try {
    for (let share = 0; share < count; share += 1) {
      shares.push(new RowLog(join(folder, `share-${share}`), log.codec));
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
  }
}

/** All groups of a log, in memory. A `Map` keeps the order of their first appearance. */
function groupByHash<Row extends Positioned>(log: RowLog<Row>): Iterable<readonly Row[]> {
  const groups = new Map<number, Row[]>();
  for (const position of log.read()) {
    const group = groups.get(position.hash);
    if (group === undefined) groups.set(position.hash, [position]);
    else group.push(position);
  }
  return groups.values();
}

/** Always the group that appears first among the next ones of all sources. */
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
