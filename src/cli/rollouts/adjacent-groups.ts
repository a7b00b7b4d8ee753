import type { LinePosition } from "./line-position.js";

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
