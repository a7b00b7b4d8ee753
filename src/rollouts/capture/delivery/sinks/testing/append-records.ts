/** Appends records to the daily file: `append-records.ts <dir> <name> <count> <maxBytes>`. */

import { createFileSink } from "../file.js";

const [dir = "", name = "", count = "0", maxBytes = ""] = process.argv.slice(2);
const bounds = maxBytes === "" ? {} : { maxBytes: Number(maxBytes), gzip: true };
const sink = createFileSink({ type: "file", dir, ...bounds });
for (let number = 0; number < Number(count); number += 1) {
  // Some records are longer than a page, so that unprotected writes would mix.
  await sink.write([
    { name, number, text: name.repeat((number % 7) * 2_000) },
    { name, number, half: 2 },
  ]);
}
await sink.close();
