/** How many keys the objects in a value that came out of JSON have together. Does not recurse. */
export function countKeys(root: object): number {
  const open: object[] = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (children !== value) count += children.length;
    for (let index = 0; index < children.length; index += 1) {
      const child = children[index];
      if (typeof child === "object" && child !== null) open.push(child);
    }
  }
  return count;
}
