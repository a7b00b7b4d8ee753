import { listPaths, type Path, removeAt, setAt, valueAt } from "./record-edits.js";

/** Makes a record smaller in one place; leaves it as it is when the place is gone. */
export type Reduction = (record: unknown) => unknown;

/** Everything that makes `record` smaller in one place, from its end to its beginning. */
export function listReductions(record: unknown): Reduction[] {
  // From the end, so that the numbers of earlier items stay what they are.
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
