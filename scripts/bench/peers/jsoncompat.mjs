/**
 * Compares pairs of schemas with the package jsoncompat (https://github.com/ostrowr/jsoncompat):
 *
 *     node jsoncompat.mjs PATH/jsoncompat_wasm.js < PAIRS
 *
 * Prints for each pair a line with a verdict per direction. The package reads documents of one file.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module] = process.argv.slice(2);
const { check_compat, initSync } = await import(pathToFileURL(module).href);
initSync({ module: readFileSync(module.replace(/\.js$/, "_bg.wasm")) });

function verdict(pair, role) {
  if (pair.old_files || pair.new_files || pair.old_type || pair.new_type) return "undecided";
  const [before, after] = [pair.old, pair.new].map((schema) => JSON.stringify(schema));
  try {
    return check_compat(before, after, role) ? "compatible" : "breaking";
  } catch {
    return "undecided";
  }
}

for (const pair of JSON.parse(readFileSync(0, "utf8"))) {
  const answer = { backward: verdict(pair, "deserializer"), forward: verdict(pair, "serializer") };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
