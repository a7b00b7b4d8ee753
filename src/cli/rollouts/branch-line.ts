import type { RolloutBranch } from "#generated/index.js";
import { blockLines } from "../../jsonl/blocks.js";
import type { ParsedRecord } from "../../jsonl/reader.js";
import type { LinePosition } from "./line-position.js";
import type { RolloutBuilder } from "./rollout-builder.js";

/** The line of a branch, as it stands in its file. */
export interface StoredLine {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly position: LinePosition;
  /** All of it but its newline. */
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** A valid branch with the line that holds it. */
export interface BranchLine<Branch extends RolloutBranch> {
  readonly branch: Branch;
  readonly record: ParsedRecord;
  readonly position: LinePosition;
  readonly stored: Uint8Array;
}

/** Parses lines that were found valid before. */
export function parseStored<Branch extends RolloutBranch>(
  lines: readonly StoredLine[],
  builder: RolloutBuilder<Branch>,
): BranchLine<Branch>[] {
  return lines.map(({ file, position, stored }) => {
    const { line, offset } = position;
    const [source] = blockLines({ line, offset, bytes: stored });
    const record = source && builder.reader.read(file, source);
    const branch = record && "value" in record ? builder.read(record.value) : undefined;
    if (record === undefined || !("value" in record) || branch === undefined) {
      throw new TypeError(`${file}:${line}: is no valid branch any more`);
    }
    return { branch, record, position, stored };
  });
}
