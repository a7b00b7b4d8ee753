/** Pushes numbered records that no sink takes, and kills itself: `push-and-die.ts <spoolDir> <count>`. */

import { createDelivery } from "../create-delivery.js";

const [spoolDir = "", count] = process.argv.slice(2);
const sink = { id: "test", write: () => new Promise<void>(() => {}), close: async () => {} };
const delivery = createDelivery({ sink, spoolDir, queueSize: 10, batchSize: 4 });
for (let number = 0; number < Number(count); number += 1) {
  delivery.push({ number, text: `text ${number} äöü` });
}
process.kill(process.pid, "SIGKILL");
