import { findErrors, isDefinitionName } from "#generated/index.js";
import { splitLines } from "../../../src/records/split-lines.js";

let count = 0;
for await (const batch of splitLines(process.stdin)) {
  for (const { bytes } of batch) {
    const { id, type, record } = JSON.parse(String(bytes));
    if (!isDefinitionName(type)) throw new Error(`no definition is called ${type}`);
    const errors = findErrors(type, record).map(({ pointer, keyword }) => ({ pointer, keyword }));
    process.stdout.write(`${JSON.stringify({ id, valid: errors.length === 0, errors })}\n`);
    count += 1;
  }
}
process.stdout.write(`${JSON.stringify({ summary: { count } })}\n`);
