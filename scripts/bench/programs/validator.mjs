/**
 * Runs the generated Ajv validator on records in memory:
 *
 *     node validator.mjs RECORDS
 *
 * Prints {"records", "seconds"}: the fastest pass over the records within half a second. Fails if a valid
 * record is rejected, or an invalid one is not.
 */
import { readFileSync } from "node:fs";
import { findErrors } from "rollout-wire";

const PERIOD_MS = 500;

const records = readFileSync(process.argv[2], "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

function countValid() {
  let valid = 0;
  for (const record of records) {
    if (findErrors("RolloutBranchRecord", record).length === 0) valid += 1;
  }
  return valid;
}

if (findErrors("RolloutBranchRecord", { ...records[0], rank: "1" }).length === 0) {
  throw new Error("an invalid record passes");
}
let best = Number.POSITIVE_INFINITY;
const end = performance.now() + PERIOD_MS;
do {
  const start = performance.now();
  if (countValid() !== records.length) throw new Error("a valid record is rejected");
  best = Math.min(best, performance.now() - start);
} while (performance.now() < end);
process.stdout.write(`${JSON.stringify({ records: records.length, seconds: best / 1000 })}\n`);
