/**
 * Validates records with generated TypeScript validators, whose module the command line names; see docs/schemas.md. A guard
 * that contradicts them is a fault.
 */

import { pathToFileURL } from "node:url";

const validators = await import(pathToFileURL(process.argv[2]).href);
const { findErrors } = validators;

/** Lines of standard input. `readline` would also split at U+2028 and U+2029, which JSON texts may contain. */
async function* readLines() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

let count = 0;
for await (const line of readLines()) {
  const { id, type, record } = JSON.parse(line);
  const errors = findErrors(type, record).map(({ pointer, keyword }) => ({ pointer, keyword }));
  const isGuarded = validators[`is${type}`](record);
  if (isGuarded !== (errors.length === 0)) errors.push({ pointer: "", keyword: "guard" });
  process.stdout.write(`${JSON.stringify({ id, valid: errors.length === 0, errors })}\n`);
  count += 1;
}
process.stdout.write(`${JSON.stringify({ summary: { count } })}\n`);
