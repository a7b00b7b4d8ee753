import { crc32 } from "node:zlib";
import type { RolloutBranchRecord } from "#generated/index.js";
import { isJsonObject } from "../../../base/json/value.js";
import { hashText } from "../../../base/text.js";
import type { BranchLine } from "../reread.js";

/** Branches as the lines of a file `a.jsonl`, from line 1. */
export function branchLines(branches: readonly RolloutBranchRecord[]): BranchLine[] {
  let offset = 0;
  return branches.map((branch, index) => {
    const text = JSON.stringify(branch);
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) throw new TypeError("a branch is an object");
    const stored = Buffer.from(text);
    const line = index + 1;
    const { length } = stored;
    const hash = hashText(branch.rollout_id);
    const position = { hash, input: 0, offset, length, line, checksum: crc32(stored) };
    offset += length + 1;
    return {
      branch,
      record: { file: "a.jsonl", line, byteLength: length, text, value },
      position,
      stored,
    };
  });
}
