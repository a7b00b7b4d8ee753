/** Appends records to the daily file: `append-records.ts <dir> <name> <count> <maxBytes>`. */

import { createFileSink } from "../file.js";

const [dir = "", name = "", count = "0", maxBytes = ""] = process.argv.slice(2);
const bounds = maxBytes === "" ? {} : { maxBytes: Number(maxBytes), gzip: true };
const sink = createFileSink({ type: "file", dir, ...bounds });
for (let number = 0; number < Number(count); number += 1) {
  // Longer than a page now and then, so that writes could mix if anything let them.
  await sink.write([
    { name, number, text: name.repeat((number % 7) * 2_000) },
    { name, number, half: 2 },
  ]);
}
await sink.close();
