/** Whether `count` tokens of `a` from `aStart` on are those of `b` from `bStart` on. */
export function sameTokens(
  a: Int32Array,
  aStart: number,
  b: Int32Array,
  bStart: number,
  count: number,
): boolean {
  for (let offset = 0; offset < count; offset += 1) {
    if (a[aStart + offset] !== b[bStart + offset]) return false;
  }
  return true;
}
