import { locateAllInText, toTextPosition } from "../../findings/finding.js";
import type { FindingList } from "../../findings/finding-list.js";
import type { RecordLine } from "../../jsonl/reader.js";
import type { RecordFault } from "../../validation/check-record.js";

/** A record of a log that was parsed, or could not be. */
export interface ReadUnit {
  readonly line: RecordLine;
  /** All of it, for the place of what is no JSON. */
  readonly text: () => string;
  readonly isDocument: boolean;
}

/** Adds what is wrong with a record, each with its line and column, also in a document of many lines. */
export function addFaults(
  findings: FindingList,
  { line, text, isDocument }: ReadUnit,
  faults: readonly RecordFault[],
): void {
  if (faults.length === 0) return;
  if (!isDocument) {
    findings.add(line, faults);
    return;
  }
  const positions = findings.isListing
    ? positionsOf(text(), line, faults)
    : faults.map(() => ({ line: 1, column: 1 }));
  for (const [index, { id, severity, pointer, message }] of faults.entries()) {
    const place = positions[index] ?? { line: 1, column: 1 };
    findings.addLocated({ id, severity, file: line.file, ...place, pointer, message });
  }
}

function positionsOf(text: string, line: RecordLine, faults: readonly RecordFault[]) {
  if ("fault" in line) return faults.map(() => toTextPosition(text, line.fault.column - 1));
  const located = locateAllInText(
    text,
    faults.map(({ pointer }) => pointer),
  );
  return faults.map(({ column }, index) =>
    column === undefined ? located[index] : toTextPosition(text, column - 1),
  );
}
