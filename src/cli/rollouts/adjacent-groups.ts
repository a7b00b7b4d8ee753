import type { LinePosition } from "./line-position.js";

/** Positions that follow each other and have one hash, together. */
export function* adjacentGroups(positions: Iterable<LinePosition>): Generator<LinePosition[]> {
  let group: LinePosition[] = [];
  for (const position of positions) {
    if (group.length > 0 && group[0]?.hash !== position.hash) {
      yield group;
      group = [];
    }
    group.push(position);
  }
  if (group.length > 0) yield group;
}
