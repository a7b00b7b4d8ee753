/** Opens a delivery and does not close it: `stay-open.ts <spoolDir> failing|idle`. */

import { createDelivery } from "../create-delivery.js";

const [spoolDir = "", state] = process.argv.slice(2);
const sink = {
  write: async (): Promise<void> => {
    if (state === "failing") throw new Error("it is down");
  },
  close: async (): Promise<void> => {},
};
const delivery = createDelivery({ sink, spoolDir, retry: { firstDelayMs: 1e9 } });
delivery.push({ number: 0 });
await delivery.flush();
