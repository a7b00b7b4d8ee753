/** The name that takes the fewest insertions, deletions and exchanges of characters; the first of equals. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const other of names) {
    const distance = editDistance(name, other);
    if (nearest === undefined || distance < nearest.distance) nearest = { name: other, distance };
  }
  return nearest?.name;
}

/** Levenshtein's distance, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
