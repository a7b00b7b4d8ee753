/** How much the snapshots of one record may still hold; what is taken is subtracted. */
export interface SnapshotRoom {
  /** Values: numbers, texts, objects, members of lists. */
  values: number;
  /** UTF-16 code units of texts and keys. */
  characters: number;
}

/**
 * Room for one record, or for a `share` of it (0..1). V8 holds no string beyond 2^29 - 24 code units, and
 * JSON writes one of them as up to six: this many can still be written as one line. Values are bounded
 * because a few objects that refer to each other, or a getter that makes new ones, can stand for more of
 * them than any memory holds.
 */
export function createSnapshotRoom(share = 1): SnapshotRoom {
  return { values: Math.floor(1_000_000 * share), characters: Math.floor(2 ** 26 * share) };
}

/** Whether nothing more fits in. */
export function isFull({ values, characters }: SnapshotRoom): boolean {
  return values <= 0 || characters <= 0;
}
