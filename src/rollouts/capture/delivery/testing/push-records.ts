/**
 * Pushes records until it is killed, and prints the number of each pushed record:
 * `push-records.ts <url> <spoolDir> <first number>`.
 */

import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createDelivery } from "../create-delivery.js";
import { createHttpSink } from "../sinks/http.js";

const [url = "", spoolDir = "", first = "0"] = process.argv.slice(2);
const sink = createHttpSink({ type: "http", url, retry: { firstDelayMs: 1, maxDelayMs: 5 } });
// Small limits, so that memory overflows, and batches and segments end, all the time.
const delivery = createDelivery({ sink, spoolDir, queueSize: 20, batchSize: 7 });
for (let number = Number(first); ; number += 1) {
  delivery.push({ number, text: "x".repeat((number * 37) % 3000) });
  writeSync(1, `${number}\n`);
  if (number % 3 === 0) await sleep(number % 5);
}
