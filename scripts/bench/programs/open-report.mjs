/**
 * How a report opens in headless Chromium:
 *
 *     node --import tsx open-report.mjs INPUT OUTPUTS
 *
 * Writes the report of INPUT to the folder OUTPUTS. Prints {"bytes", "paintMs", "openMs", "heapBytes"}: its size, the first
 * paint after the navigation, the longest opening of a rollout among several, and the heap of JavaScript afterwards.
 */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium } from "../../../conformance/interop/runtimes/testing/launch-chromium.ts";
import { RUN_FOLDER } from "../../../src/base/testing/make-once.ts";
import { REPO_ROOT } from "../../run-script.ts";

const [input, outputs] = process.argv.slice(2);
const file = join(outputs, "report.html");
const program = join(REPO_ROOT, "dist/bin/main.js");
execFileSync(process.execPath, [program, "report", input, "--output", file], { stdio: "pipe" });

// For the unpacked browser.
process.env[RUN_FOLDER] = outputs;
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // A heading that is there may not yet be painted.
  const paintMs = await page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntriesByName("first-contentful-paint"))
            resolve(startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
  const rollouts = await page.evaluate(async () => {
    location.hash = "#/rollouts";
    while (document.querySelector("[role=status]") === null)
      await new Promise(requestAnimationFrame);
    return Number.parseInt(
      document.querySelector("[role=status]").textContent.replace(",", ""),
      10,
    );
  });
  let openMs = 0;
  for (const share of [0, 0.2, 0.4, 0.6, 0.8]) {
    const opened = await page.evaluate(openRollout, Math.floor(share * rollouts));
    openMs = Math.max(openMs, opened);
  }
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize: heapBytes } = await session.send("Runtime.getHeapUsage");
  const { size: bytes } = statSync(file);
  process.stdout.write(JSON.stringify({ bytes, paintMs, openMs, heapBytes }));
} finally {
  await browser.close();
}

/** Runs in the page: milliseconds until the messages of a rollout are laid out. */
async function openRollout(number) {
  location.hash = "#/";
  while (document.querySelector(".message") !== null) await new Promise(requestAnimationFrame);
  const start = performance.now();
  location.hash = `#/rollouts/${number}`;
  while (document.querySelector(".message") === null) await new Promise((done) => setTimeout(done));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}
