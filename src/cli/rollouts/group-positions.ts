import { join } from "node:path";
import { type LinePosition, toRows } from "./line-position.js";
import { PositionLog } from "./position-log.js";

/** Positions that are held in memory at a time: some 60 MB. */
const POSITIONS_IN_MEMORY = 2 ** 18;

type Group = readonly LinePosition[];

/**
 * The positions of a log grouped by hash: groups in order of first appearance, each in the order of the
 * log, which is that of inputs and offsets. Memory does not grow with the log: the groups of one share
 * of the hashes are made at a time, and kept in `folder` until the shares are merged.
 */
export function* groupPositions(
  log: PositionLog,
  folder: string,
  maxInMemory: number = POSITIONS_IN_MEMORY,
): Generator<Group> {
  const count = Math.max(1, Math.ceil(log.size / maxInMemory));
  if (count === 1) return yield* groupShare(log, 0, 1);
  const shares: PositionLog[] = [];
  try {
    for (let share = 0; share < count; share += 1) {
      const grouped = new PositionLog(join(folder, `share-${share}`));
      shares.push(grouped);
      for (const group of groupShare(log, share, count)) grouped.append(toRows(group));
    }
    yield* mergeGroups(shares.map(readGroups));
  } finally {
    for (const share of shares) share.close();
  }
}

/** The groups of the hashes that leave `share` when divided by `count`. A `Map` keeps their order. */
function groupShare(log: PositionLog, share: number, count: number): Iterable<Group> {
  const groups = new Map<number, LinePosition[]>();
  for (const position of log.read()) {
    if (position.hash % count !== share) continue;
    const group = groups.get(position.hash);
    if (group === undefined) groups.set(position.hash, [position]);
    else group.push(position);
  }
  return groups.values();
}

function* readGroups(log: PositionLog): Generator<Group> {
  let group: LinePosition[] = [];
  for (const position of log.read()) {
    if (group.length > 0 && group[0]?.hash !== position.hash) {
      yield group;
      group = [];
    }
    group.push(position);
  }
  if (group.length > 0) yield group;
}

/** Always the group that appears first among the next ones of all sources. */
function* mergeGroups(sources: readonly Generator<Group>[]): Generator<Group> {
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

function isBefore([a]: Group, [b]: Group): boolean {
  if (a === undefined || b === undefined) return false;
  return a.input < b.input || (a.input === b.input && a.offset < b.offset);
}
