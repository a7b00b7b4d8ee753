/**
 * The minimum work of a program that reads JSON Lines, on one core, with as little overhead as Node allows:
 *
 *     node json.mjs parse INPUT    JSON.parse of every line
 *     node json.mjs print INPUT    and JSON.stringify of every value
 *
 * The file is read at once and split at "\n" in its bytes. Nothing is validated, grouped, kept or written.
 */
import { readFileSync } from "node:fs";

const NEWLINE = 0x0a;

const [mode, input] = process.argv.slice(2);
const bytes = readFileSync(input);

let length = 0;
for (let start = 0; start < bytes.length; ) {
  const found = bytes.indexOf(NEWLINE, start);
  const end = found < 0 ? bytes.length : found;
  const value = JSON.parse(bytes.toString("utf8", start, end));
  length += mode === "print" ? JSON.stringify(value).length : 1;
  start = end + 1;
}
process.stdout.write(`${length}\n`);
