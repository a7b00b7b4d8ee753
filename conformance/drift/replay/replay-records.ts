import type { EntryTypeName } from "#generated/index.js";
import { describeError } from "../../../src/records/describe-error.js";
import { inferEntryType } from "../../../src/records/infer-entry-type.js";
import { isJsonObject } from "../../../src/records/json-object.js";
import { requireJudge } from "../../compat/judge-of.js";
import type { LoadedVersion } from "../../compat/load-version.js";
import { childOf, type SchemaLocation } from "../../compat/schema-set.js";

/** A record on which two copies of a schema disagree. */
export interface Disagreement {
  /** From 1. */
  readonly line: number;
  /** Which of the two accepts it. */
  readonly acceptedBy: "producer" | "consumer";
  /** JSON Pointer into the record, and what the other says there. */
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

export interface ReplayedRecords {
  readonly records: number;
  readonly disagreements: readonly Disagreement[];
}

/** Two copies of a schema: that of who writes records, and that of who reads them. */
export interface CopyPair {
  readonly producer: LoadedVersion;
  readonly consumer: LoadedVersion;
}

/**
 * Judges every record of a JSONL text by two copies of a schema. A record is judged as the type that its shape
 * suggests, where both copies have that; else as any type that a copy has. Lines that are not JSON are no
 * matter of the schemas and passed over.
 */
export function replayRecords(text: string, { producer, consumer }: CopyPair): ReplayedRecords {
  const disagreements: Disagreement[] = [];
  let records = 0;
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    const record = parse(line);
    if (record === undefined) continue;
    records += 1;
    const type = isJsonObject(record) ? inferEntryType(record) : undefined;
    const [written, read] = [
      judgeFor(producer, consumer, type),
      judgeFor(consumer, producer, type),
    ];
    const isWritten = written.isValid(record);
    const isRead = read.isValid(record);
    if (isWritten === isRead || isWritten === undefined || isRead === undefined) continue;
    const [error] = (isWritten ? read : written).errorsOf(record);
    disagreements.push({
      line: index + 1,
      acceptedBy: isWritten ? "producer" : "consumer",
      pointer: error?.pointer ?? "",
      message: error === undefined ? "is invalid" : describeError(error, record),
      keyword: error?.keyword ?? "schema",
    });
  }
  return { records, disagreements };
}

function judgeFor(own: LoadedVersion, other: LoadedVersion, type: EntryTypeName | undefined) {
  const definition = type && definitionOf(own, type);
  const isShared = definition !== undefined && definitionOf(other, type) !== undefined;
  return requireJudge(isShared ? definition : own.root);
}

function definitionOf(
  { root }: LoadedVersion,
  type: EntryTypeName | undefined,
): SchemaLocation | undefined {
  const definitions: unknown = isJsonObject(root.schema) ? root.schema.$defs : undefined;
  if (type === undefined || !isJsonObject(definitions)) return undefined;
  return Object.hasOwn(definitions, type) ? childOf(root, `/$defs/${type}`) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
