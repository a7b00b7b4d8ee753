import { ODD, type Oddities } from "./odd-values.js";
import { listPaths, type Path, removeAt, setAt, valueAt } from "./record-edits.js";
import { tweakValue } from "./tweak-value.js";

/** Values to put in place of others of their type; odd ones are put everywhere. */
export type Literals = readonly unknown[];

/** Makes a copy of a record that differs in one place. */
export type Mutation = () => unknown;

/** Every mutation of `record` at `path`: what is there is replaced, changed a little, removed, or added to. */
export function listMutations(
  record: unknown,
  path: Path,
  literals: Literals,
  { values, keys }: Oddities = ODD,
): Mutation[] {
  const value = valueAt(record, path);
  const alike = literals.filter((literal) => typeof literal === typeof value);
  const put = (replacement: unknown) => () => setAt(record, path, replacement);
  return [
    ...[...values, ...alike, ...tweakValue(value)].map(put),
    ...(path.length > 0 ? [() => removeAt(record, path)] : []),
    ...listAdditions(value, keys).map(put),
  ];
}

/** The place without the numbers of items, which are all alike to a schema. */
export function toShape(path: Path): string {
  return path.map((key) => (typeof key === "number" ? "*" : JSON.stringify(key))).join("/");
}

/** The places of `record` whose shape is not in `seen`, where it is put. */
export function listNewPaths(record: unknown, seen: Set<string>): Path[] {
  return listPaths(record).filter((path) => {
    const shape = toShape(path);
    if (seen.has(shape)) return false;
    seen.add(shape);
    return true;
  });
}

function listAdditions(value: unknown, keys: Oddities["keys"]): unknown[] {
  if (Array.isArray(value)) return [[...value, null]];
  if (typeof value !== "object" || value === null) return [];
  return keys.map((key) => setAt(value, [key], null));
}
