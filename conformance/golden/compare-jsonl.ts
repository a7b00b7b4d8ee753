import { diffArrays } from "diff";
import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import { compareRecords, type OutputRecord } from "./compare-records.js";
import { describeChange } from "./describe-change.js";
import { describeRecord } from "./describe-record.js";
import { parseJson } from "./parse-json.js";

/** Records that stand between two that are the same in both files. */
interface Block {
  /** Line of the expected file at which the block begins. */
  readonly line: number;
  readonly expected: OutputRecord[];
  readonly actual: OutputRecord[];
}

/**
 * Every difference of two JSONL texts, by record and field, in the order of the expected one. Records
 * that are the same are set aside first, so that one more or one fewer leaves the others alone; of those
 * between them, the ones that name the same rollout and branch are compared.
 */
export function compareJsonl(file: string, expected: string, actual: string): Finding[] {
  return toBlocks(expected, actual).flatMap((block) => compareBlock(file, block));
}

function toBlocks(expected: string, actual: string): Block[] {
  const blocks: Block[] = [];
  let [line, actualLine] = [1, 1];
  let block: Block | undefined;
  for (const { value, added, removed } of diffArrays(toLines(expected), toLines(actual))) {
    if (!added && !removed) block = undefined;
    else if (block === undefined) {
      block = { line, expected: [], actual: [] };
      blocks.push(block);
    }
    if (removed) block?.expected.push(...value.map((text, index) => toRecord(text, line + index)));
    if (added)
      block?.actual.push(...value.map((text, index) => toRecord(text, actualLine + index)));
    if (!added) line += value.length;
    if (!removed) actualLine += value.length;
  }
  return blocks;
}

function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function toRecord(text: string, line: number): OutputRecord {
  return { text, line, name: describeRecord(parseJson(text)?.value) ?? `record ${line}` };
}

function compareBlock(file: string, { line, expected, actual }: Block): Finding[] {
  const rest = [...actual];
  const findings = expected.flatMap((record) => {
    const index = rest.findIndex((other) => isSame(record, other));
    const [other] = index < 0 ? [] : rest.splice(index, 1);
    if (other !== undefined) return compareRecords(file, record, other);
    const message = `${record.name} is not written any more`;
    const detail = describeChange(parseJson(record.text)?.value ?? record.text, undefined);
    return [
      createFinding({
        id: "golden",
        file,
        position: { line: record.line, column: 1 },
        message,
        detail,
      }),
    ];
  });
  const added = rest.map((record) => {
    const message = `${record.name} is written now, and was not`;
    const detail = describeChange(undefined, parseJson(record.text)?.value);
    return createFinding({ id: "golden", file, position: { line, column: 1 }, message, detail });
  });
  return [...findings, ...added];
}

/** Whether two records are one that changed; of those that name nothing, any two may be. */
function isSame(expected: OutputRecord, actual: OutputRecord): boolean {
  const [left, right] = [expected, actual].map(({ text }) =>
    describeRecord(parseJson(text)?.value),
  );
  return left === right;
}
