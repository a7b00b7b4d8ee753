import { type EntryTypeName, findErrors } from "#generated/index.js";
import { listReductions } from "./list-reductions.js";
import { type Path, valueAt } from "./record-edits.js";

/**
 * A valid record of `type` with the value of `record` at `path` and little else, so that what is made of
 * it is judged fast.
 */
export function pruneRecord(type: EntryTypeName, record: unknown, path: Path): unknown {
  const kept = valueAt(record, path);
  return listReductions(record).reduce((smallest: unknown, reduce) => {
    const smaller = reduce(smallest);
    // Copies share what is left as it is.
    const isKept = valueAt(smaller, path) === kept;
    return isKept && findErrors(type, smaller).length === 0 ? smaller : smallest;
  }, record);
}
