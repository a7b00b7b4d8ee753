import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { collectMessages } from "../testing/collect-messages.js";
import { eventually } from "../testing/eventually.js";
import { NumberedSink, numbersUpTo } from "../testing/numbered-sink.js";
import { useFolder } from "../testing/use-folder.js";
import { createDelivery } from "./create-delivery.js";

const SCRIPT = fileURLToPath(new URL("testing/push-to-small-disk.ts", import.meta.url));
const inFolder = useFolder();

test.runIf(process.platform === "linux")(
  "what the disk took half is whole all the same",
  async () => {
    // Blocks of 1,024 bytes: every ninth write or so ends half-way.
    const command = `ulimit -f 9 && exec "$@"`;
    const args = [
      "-c",
      command,
      "bash",
      process.execPath,
      "--import",
      "tsx",
      SCRIPT,
      inFolder("spool"),
    ];
    const env = { ...process.env, TSX_DISABLE_CACHE: "1" };
    const child = spawn("bash", args, { stdio: ["ignore", "ignore", "inherit"], env });
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    const sink = new NumberedSink();
    const delivery = createDelivery({ sink, spoolDir: inFolder("spool") });
    await eventually(() => sink.arrived.length).toBeGreaterThanOrEqual(60);
    await delivery.close();
    // The last one may be the one that failed: in memory until the next.
    const arrived = sink.arrived.filter((number) => number < 60).sort((a, b) => a - b);
    expect(arrived).toEqual(numbersUpTo(60));
    expect(delivery.stats()).toMatchObject({ rejected: 0, dropped: 0 });
  },
);

test("segments that cannot be read for a while are kept, and sent in order once they can be", async () => {
  const sink = new NumberedSink();
  sink.attempt = () => {
    throw new Error("it is down");
  };
  const { logger, messages } = collectMessages();
  const spoolDir = inFolder("spool");
  const retry = { firstDelayMs: 1, maxDelayMs: 2 };
  const delivery = createDelivery({ sink, spoolDir, logger, retry, queueSize: 10, batchSize: 5 });
  for (const number of numbersUpTo(60)) delivery.push({ number });
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(0);
  const [log = ""] = readdirSync(inFolder("spool", "test")).filter((name) => name !== "owners");
  const segments = readdirSync(inFolder("spool", "test", log)).slice(1);
  expect(segments.length).toBeGreaterThan(3);
  // A folder in its place fails as a process does that has no descriptor left: otherwise than ENOENT.
  for (const name of segments) {
    renameSync(inFolder("spool", "test", log, name), inFolder(name));
    mkdirSync(inFolder("spool", "test", log, name));
  }
  sink.attempt = () => {};
  const before = delivery.stats().failedAttempts;
  await eventually(() => delivery.stats().queued).toBe(0);
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(before + 2);
  await delivery.flush();
  expect(delivery.stats()).toMatchObject({ state: "failing", spooled: 50, dropped: 0 });
  expect(delivery.stats().lastError).toContain("cannot be read: EISDIR");
  for (const name of segments) {
    rmdirSync(inFolder("spool", "test", log, name));
    renameSync(inFolder(name), inFolder("spool", "test", log, name));
  }
  await eventually(() => sink.arrived).toEqual(numbersUpTo(60));
  await delivery.close();
  expect(delivery.stats()).toMatchObject({ delivered: 60, dropped: 0 });
  const said = messages.filter((each) => each.includes(" read"));
  expect(said).toEqual([
    expect.stringContaining("reading is tried again"),
    "info: rollout-wire: the spool can be read again",
  ]);
});
