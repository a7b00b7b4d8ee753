import { isUtf8 } from "node:buffer";
import type { RecordFault } from "../../../base/findings/finding.js";
import { FindingList, type FindingTally } from "../../../base/findings/finding-list.js";
import { blockLines } from "../../../base/jsonl/blocks.js";
import type { TransferableResult } from "../../../base/jsonl/buffer-pool.js";
import { catchStringLimit } from "../../../base/jsonl/printer.js";
import { type RecordLine, toRecordLine } from "../../../base/jsonl/reader.js";
import {
  createLineRedactor,
  type FoundSecret,
  type RedactionPlan,
  SecretCounter,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import { addFaults } from "../import/check-unit.js";
import { type GatheredBlock, wholeSource } from "../import/documents.js";
import { ByteSink } from "../serializer.js";
import { rehashTask } from "./rehash-task.js";

export interface RedactJob extends GatheredBlock {
  readonly plan: RedactionPlan;
  /** Whether each secret is an error, and nothing is written. */
  readonly check: boolean;
  /** Maximum number of findings listed per severity. */
  readonly maxErrors: number;
}

export interface RedactedBlock extends TransferableResult {
  readonly tally: FindingTally;
  /** The redacted lines; empty if they are only checked. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly secrets: SecretCounts;
}

/** Replaces the secrets in the lines of a block, or in the document that it contains. */
export function redactBlock(job: RedactJob): RedactedBlock {
  const { file, block, isWhole, plan, check, maxErrors } = job;
  const findings = new FindingList({ maxErrors });
  const sink = new ByteSink();
  const counter = new SecretCounter();
  const redactLine = createLineRedactor(plan);
  const sources = isWhole ? [wholeSource(block.bytes)] : blockLines(block);
  for (const source of sources) {
    const line = toRecordLine(file, source);
    findings.addChecked(line, []);
    const text = readText(source.bytes);
    const unit = { line, text: () => text ?? "", layout: isWhole ? "document" : "line" } as const;
    const redacted = text === undefined ? undefined : catchStringLimit(() => redactLine(text));
    if (text === undefined || redacted === undefined) {
      addFaults(findings, unit, [unreadable(line)]);
      continue;
    }
    if (isText(line)) addFaults(findings, unit, [readAsText(line)]);
    if (check) addFaults(findings, unit, redacted.found.map(toFault));
    else {
      const json = rehashTask(text, redacted.text);
      sink.writeLine([isWhole ? toLines(json, isText(line)) : json]);
    }
    for (const { kind } of redacted.found) counter.add([[kind, 1]]);
  }
  const bytes = sink.toBytes();
  const buffers = [...(block.bytes ? [block.bytes.buffer] : []), bytes.buffer];
  return { tally: findings.toTally(), bytes, secrets: counter.counts, buffers };
}

/** Undefined if the bytes are not UTF-8 or too long: what cannot be read cannot be redacted. */
function readText(bytes: Buffer | undefined): string | undefined {
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function unreadable(line: RecordLine): RecordFault {
  const fault = "fault" in line ? line.fault : TOO_LONG;
  return { ...fault, severity: "error", pointer: "" };
}

const TOO_LONG = { id: "json", column: 1, message: "exceeds the maximum string length" } as const;

function isText(line: RecordLine): boolean {
  return "fault" in line && line.fault.id === "json";
}

function readAsText(line: RecordLine): RecordFault {
  const { message, ...fault } = unreadable(line);
  return { ...fault, severity: "warning", message: `${message}; redacted as text` };
}

function toFault({ kind, pointer, offset }: FoundSecret): RecordFault {
  const message = `a secret: ${kind}`;
  return { id: "secret", severity: "error", pointer, column: offset + 1, message };
}

/**
 * Writes a document in one line: a line break in valid JSON is never part of a string. The lines of a text stay, because
 * joining them could join the parts of a secret.
 */
function toLines(document: string, isText: boolean): string {
  return isText
    ? document.replace(/[\r\n]{1,2}$/, "")
    : document.replaceAll(/[ \t]*[\r\n][ \t\r\n]*/g, "");
}
