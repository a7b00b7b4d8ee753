import { join } from "node:path";
import type { RolloutBranch } from "#generated/index.js";
import { type LinePosition, RowLog } from "./positions.js";
import type { BranchLine } from "./reread.js";

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

/** Positions that follow each other and have one hash, together. */
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

/** Rows with one hash by their other hash: two ids may share one by accident; that they share both is beyond all odds. */
export function splitCollisions<Row extends { readonly otherHash: number }>(
  rows: readonly Row[],
): Iterable<readonly Row[]> {
  const [first] = rows;
  if (rows.every(({ otherHash }) => otherHash === first?.otherHash)) return [rows];
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.otherHash);
    if (group === undefined) groups.set(row.otherHash, [row]);
    else group.push(row);
  }
  return groups.values();
}

/** Lines whose rollout_ids have one hash, by rollout: two ids may share a hash by accident. */
export function groupById<Branch extends RolloutBranch>(
  lines: readonly BranchLine<Branch>[],
): (readonly BranchLine<Branch>[])[] {
  const id = lines[0]?.branch.rollout_id;
  // But for that accident, which costs nothing until it happens.
  if (id !== undefined && lines.every(({ branch }) => branch.rollout_id === id)) return [lines];
  const groups = new Map<string, BranchLine<Branch>[]>();
  for (const line of lines) {
    const group = groups.get(line.branch.rollout_id);
    if (group === undefined) groups.set(line.branch.rollout_id, [line]);
    else group.push(line);
  }
  return [...groups.values()];
}
