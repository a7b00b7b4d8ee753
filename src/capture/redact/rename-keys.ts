/**
 * The keys of an object that get another name, with that name. Two that would get the same one are told apart by a
 * number, so that none takes the other's value.
 */
export function renameKeys(
  keys: readonly string[],
  rename: (key: string) => string,
): ReadonlyMap<string, string> {
  const changed = keys.map((key) => [key, rename(key)] as const).filter(([key, to]) => key !== to);
  const renamed = new Map<string, string>();
  if (changed.length === 0) return renamed;
  const leaving = new Set(changed.map(([key]) => key));
  const taken = new Set(keys.filter((key) => !leaving.has(key)));
  for (const [key, to] of changed) {
    if (renamed.has(key)) continue;
    let name = to;
    for (let count = 2; taken.has(name); count += 1) name = `${to} (${count})`;
    taken.add(name);
    renamed.set(key, name);
  }
  return renamed;
}
