/**
 * Pushes 61 records of 1,000 bytes, and kills itself: `push-to-small-disk.ts <spoolDir>`. Run it with a file
 * size limit of a few records: writes then end half-way, as on a full disk.
 */

import { createDelivery } from "../create-delivery.js";

const [spoolDir = ""] = process.argv.slice(2);
const sink = { id: "test", write: () => new Promise<void>(() => {}), close: async () => {} };
// A failed write is retried at once.
let elapsed = 0;
const delivery = createDelivery({ sink, spoolDir }, { elapsed: () => (elapsed += 2_000) });
for (let number = 0; number <= 60; number += 1) {
  delivery.push({ number, text: "x".repeat(1_000) });
}
process.kill(process.pid, "SIGKILL");
