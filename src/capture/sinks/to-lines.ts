import { toJsonl } from "../../json/print.js";

/** Records as JSON, one line each. Throws TypeError, with the place, for what JSON cannot hold. */
export function toLines(records: readonly object[]): string[] {
  return records.map((record) => toJsonl([record]).slice(0, -1));
}
