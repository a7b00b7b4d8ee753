import type { EntryTypeName } from "#generated/index.js";
import { describeError } from "../../../src/json/schema-error.js";
import { isJsonObject } from "../../../src/json/value.js";
import { inferEntryType } from "../../../src/validation/structure.js";
import { requireJudge } from "../../compat/judge-of.js";
import type { LoadedVersion } from "../../compat/load-version.js";
import { childOf, type SchemaLocation } from "../../compat/schema-set.js";

/** A record that one of two schemas rejects, or both do. */
export interface Rejection {
  /** From 1. */
  readonly line: number;
  /** Which of the two accepts it. */
  readonly acceptedBy: "producer" | "consumer" | "neither";
  /** JSON Pointer into the record, and what who rejects it says there. */
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

export interface ReplayedRecords {
  readonly records: number;
  readonly rejections: readonly Rejection[];
}

/** Two schemas: that of who writes records, and that of who reads them. */
export interface SchemaPair {
  readonly producer: LoadedVersion;
  readonly consumer: LoadedVersion;
}

/**
 * Judges every record of a JSONL text by two schemas. A record is judged as the type that its shape
 * suggests, where both have that; else as any type that a schema has. Lines that are not JSON are no
 * matter of the schemas and passed over.
 */
export function replayRecords(text: string, { producer, consumer }: SchemaPair): ReplayedRecords {
  const rejections: Rejection[] = [];
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
    if (isWritten === undefined || isRead === undefined || (isWritten && isRead)) continue;
    const [error] = (isRead ? written : read).errorsOf(record);
    rejections.push({
      line: index + 1,
      acceptedBy: isWritten ? "producer" : isRead ? "consumer" : "neither",
      pointer: error?.pointer ?? "",
      message: error === undefined ? "is invalid" : describeError(error, record),
      keyword: error?.keyword ?? "schema",
    });
  }
  return { records, rejections };
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
