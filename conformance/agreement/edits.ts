/** Keys and indices of a value; empty for the record itself. */
export type Path = readonly (string | number)[];

/** Every place in a JSON value, parents before children. */
export function listPaths(value: unknown, path: Path = []): Path[] {
  return [path, ...keysOf(value).flatMap((key) => listPaths(childOf(value, key), [...path, key]))];
}

export function valueAt(record: unknown, path: Path): unknown {
  return path.reduce(childOf, record);
}

/** A copy of `record` with `value` at `path`, which may be a new key of an object. */
export function setAt(record: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return copyWith(record, key, setAt(childOf(record, key), rest, value));
}

/** A copy of `record` without the member or item at `path`. */
export function removeAt(record: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined) throw new RangeError("a record cannot be removed from itself");
  if (rest.length > 0) return copyWith(record, key, removeAt(childOf(record, key), rest));
  if (Array.isArray(record)) return record.filter((_, index) => index !== key);
  const copy: object = { ...toObject(record) };
  Reflect.deleteProperty(copy, key);
  return copy;
}

/** A copy of `record` with nothing but what is at `path`, and what contains it. */
export function keepPath(record: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return record;
  const child = keepPath(childOf(record, key), rest);
  if (Array.isArray(record)) return record.slice(0, Number(key)).concat([child]);
  return { [key]: child };
}

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return [...value.keys()];
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function childOf(value: unknown, key: string | number): unknown {
  return Object.hasOwn(toObject(value), key) ? Reflect.get(toObject(value), key) : undefined;
}

function copyWith(value: unknown, key: string | number, child: unknown): object {
  if (Array.isArray(value)) return Object.assign([...value], { [key]: child });
  // Assignment would drop a key called __proto__.
  return { ...toObject(value), [key]: child };
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Makes a record smaller in one place; returns it unchanged if the place no longer exists. */
export type Reduction = (record: unknown) => unknown;

/** Every edit that makes `record` smaller in one place, from its end to its start. */
export function listReductions(record: unknown): Reduction[] {
  // From the end, so that the indices of earlier items stay the same.
  return listPaths(record)
    .reverse()
    .filter((path) => path.length > 0)
    .flatMap((path) => [
      (value) => (exists(value, path) ? removeAt(value, path) : value),
      ...listSmaller(valueAt(record, path)).map(
        (smaller): Reduction =>
          (value) =>
            exists(value, path) ? setAt(value, path, smaller) : value,
      ),
    ]);
}

function listSmaller(value: unknown): unknown[] {
  if (typeof value === "string" && value.length > 1) return ["", value.slice(0, value.length / 2)];
  if (Array.isArray(value) && value.length > 0) return [[]];
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) return [{}];
  return [];
}

function exists(record: unknown, path: Path): boolean {
  return valueAt(record, path) !== undefined;
}
