import type { InputSource } from "../../base/files/source.js";
import type { RecordFault } from "../../base/findings/finding.js";
import type { RecordValidator } from "../../base/json/schema-error.js";
import { measureValue } from "../../base/json/value.js";
import { blockLines, type SourceLine } from "../../base/jsonl/blocks.js";
import { type FaultyLine, type TextLine, toRecordLine } from "../../base/jsonl/reader.js";
import { type LinesOutcome, type LinesRequest, runLines } from "../../base/run/run-lines.js";
import { checkLineRules } from "../wire/validation/check-record.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";

interface CheckRecordsRequest extends LinesRequest {
  /** What every record of a file must match. A record may be any JSON value. `file`: its name for messages. */
  readonly validatorOf: (file: string) => RecordValidator;
  readonly severities: RuleSeverities;
}

/**
 * Checks the records of JSONL files against a schema, and the rules about lines. The id of a fault of structure is the
 * keyword, as draft 2020-12 calls it. Reads line by line, on one thread.
 *
 * Throws UserError (exit 3) if a file cannot be read.
 */
export function checkRecords(
  { validatorOf, severities, ...request }: CheckRecordsRequest,
  source: InputSource,
): Promise<LinesOutcome> {
  return runLines(request, source, async (run) => {
    for await (const { file, block } of run.blocks({ documents: true })) {
      const validator = validatorOf(file);
      for (const line of blockLines(block)) {
        const record = readValue(file, line);
        run.findings.addChecked(record, findFaults(record, validator, severities));
      }
    }
    return { result: {} };
  });
}

type ReadValue = (TextLine & { readonly value: unknown }) | FaultyLine;

/** Parses a line. Unlike a record of this format, its value need not be an object. */
function readValue(file: string, line: SourceLine): ReadValue {
  const record = toRecordLine(file, line);
  if (!("fault" in record) || record.fault.id !== "type" || line.bytes === undefined) return record;
  const text = line.bytes.toString("utf8");
  const value: unknown = JSON.parse(text);
  const { column, byteLength } = record;
  return { file, line: record.line, column, byteLength, text, value };
}

function findFaults(
  record: ReadValue,
  validator: RecordValidator,
  severities: RuleSeverities,
): readonly RecordFault[] {
  const toError = (fault: Omit<RecordFault, "severity">): RecordFault => ({
    ...fault,
    severity: "error",
  });
  if ("fault" in record) {
    const { id, message, cause } = record.fault;
    return [toError({ id, pointer: "", message, cause })];
  }
  const { text, value } = record;
  const verdict = validator.isValid(value, text);
  if (verdict === undefined) {
    const message = "cannot be checked: the schema takes too long on it";
    return [toError({ id: "undecided", pointer: "", message })];
  }
  // Values that are no object count as the only item of a list.
  if (verdict) return checkLineRules({ text, measure: measureValue([value]) }, severities);
  return validator
    .errorsOf(value)
    .map(({ keyword: id, pointer, message, cause }) => toError({ id, pointer, message, cause }));
}
