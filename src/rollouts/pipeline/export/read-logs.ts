import { join } from "node:path";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import type { FindingPlace } from "../../../base/findings/finding.js";
import { FindingList } from "../../../base/findings/finding-list.js";
import { isJsonObject } from "../../../base/json/value.js";
import type { ReadInput } from "../../../base/jsonl/file-blocks.js";
import { type RejectFault, requireReject } from "../../../base/run/rejects.js";
import type { LineRun } from "../../../base/run/run-lines.js";
import type { ImportedRows } from "../import/imported-rows.js";
import { type ImportedLogs, importLogs, type LogsRequest } from "../import/run.js";

/** What an import made of logs, and what it found in them. */
export interface FoundLogs extends ImportedLogs {
  readonly findings: FindingList;
  /** Converts a place in the temporary file to one in the logs, until the end of the run. */
  locate(place: FindingPlace): FindingPlace;
}

/** Logs whose branches are in a temporary file, which is exported in their place. */
interface ReadLogs {
  /** None if the logs have errors. */
  readonly files: readonly string[];
  readonly imported: FoundLogs;
  readonly inputs: readonly ReadInput[];
  /** Number of records without a branch. */
  readonly leftOut: number;
}

/** Imports the logs of a run, so that their branches can be ranked and exported. Throws as `importLogs` does. */
export async function readLogs(
  run: LineRun,
  request: Omit<LogsRequest, "redaction">,
): Promise<ReadLogs> {
  const path = join(run.folder, "imported.jsonl");
  const file = run.closing(new ScratchFile(path));
  const { imported, rows, finish } = await importLogs(
    run,
    { ...request, redaction: undefined },
    {
      write: (lines) => file.write(Buffer.from(lines)),
    },
  );
  const isValid = run.findings.errors === 0;
  // With the empty lines, each line has the number of its row.
  if (isValid) await finish(true);
  const findings = new FindingList(run.findings.limits);
  findings.addTally(run.findings.toTally());
  run.rejects = run.rejects?.after((lines) => relocateRejects(lines, rows));
  return {
    files: isValid ? [path] : [],
    imported: {
      ...imported,
      findings,
      locate: ({ line, pointer }) => rows.locate(line - 1, pointer),
    },
    inputs: run.input.inputs,
    leftOut: run.findings.records - imported.counts.branches,
  };
}

/** Converts lines of a rejects file about imported branches to those about their records. */
function relocateRejects(lines: Uint8Array, rows: ImportedRows): Uint8Array {
  const texts = Buffer.from(lines).toString("utf8").split("\n");
  const relocated = texts.map((text) =>
    text === "" ? "" : relocateReject(JSON.parse(text), rows),
  );
  return Buffer.from(relocated.join("\n"));
}

function relocateReject(reject: unknown, rows: ImportedRows): string {
  if (!isJsonObject(reject) || !Array.isArray(reject.findings)) throw new TypeError("no reject");
  const findings: readonly unknown[] = reject.findings;
  const more = Number(reject.findings_not_listed ?? 0);
  const own = Number(reject.line);
  const faults = findings.filter(isJsonObject).map((fault): RejectFault => {
    const { file, line, pointer } = rows.locate(
      Number(fault.line ?? own) - 1,
      String(fault.pointer),
    );
    const place = fault.line === undefined ? {} : { file, line };
    return { id: String(fault.id), message: String(fault.message), ...place, pointer };
  });
  const row = rows.log.at(own - 1);
  return requireReject(rows.placeOf(row), faults, rows.storedOf(row), faults.length + more);
}
