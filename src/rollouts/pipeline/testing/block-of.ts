import type { LineBlock } from "../../../base/jsonl/blocks.js";

interface Start {
  /** Line number, from 1. */
  readonly line: number;
  /** Byte offset, from 0. */
  readonly offset: number;
}

/** A block that contains a text, with its own memory. */
export function blockOf(
  text: string | Uint8Array,
  { line, offset }: Start = { line: 1, offset: 0 },
): LineBlock & { readonly bytes: Uint8Array<ArrayBuffer> } {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return { line, offset, bytes: Uint8Array.from(bytes) };
}

/** Records as the lines of a file. */
export function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
