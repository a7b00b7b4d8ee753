/**
 * What any program that reads JSON Lines has to do at least, on one core:
 *
 *     node json.mjs parse INPUT           JSON.parse of every line
 *     node json.mjs print INPUT FOLDER    and JSON.stringify of every value, written to FOLDER/out.jsonl
 *
 * The file is read in pieces of 1 MiB, decoded as UTF-8 and cut at "\n"; nothing is checked, grouped or
 * kept, and nothing is synced to the disk.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";

const PIECE = 1 << 20;

const [mode, input, folder] = process.argv.slice(2);
const source = openSync(input, "r");
const target = mode === "print" ? openSync(join(folder, "out.jsonl"), "w") : undefined;
const buffer = Buffer.allocUnsafe(PIECE);
const decoder = new StringDecoder("utf8");

let rest = "";
for (;;) {
  const length = readSync(source, buffer);
  if (length === 0) break;
  const lines = (rest + decoder.write(buffer.subarray(0, length))).split("\n");
  rest = lines.pop();
  take(lines);
}
if (rest !== "") take([rest]);
closeSync(source);
if (target !== undefined) closeSync(target);

function take(lines) {
  let text = "";
  for (const line of lines) {
    const value = JSON.parse(line);
    if (target !== undefined) text += `${JSON.stringify(value)}\n`;
  }
  if (target !== undefined) writeSync(target, text);
}
