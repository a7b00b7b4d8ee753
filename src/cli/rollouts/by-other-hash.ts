/** Rows with one hash by their other hash: two ids may share one by accident; that they share both is beyond all odds. */
export function byOtherHash<Row extends { readonly otherHash: number }>(
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
