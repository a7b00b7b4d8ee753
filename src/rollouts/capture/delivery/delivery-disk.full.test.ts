import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { collectMessages } from "../../../base/testing/collect-messages.js";
import { eventually } from "../../../base/testing/eventually.js";
import { NumberedSink, numbersUpTo } from "../../../base/testing/numbered-sink.js";
import { useFolder } from "../../../base/testing/use-folder.js";
import { createDelivery } from "./create-delivery.js";
import type { Delivery } from "./delivery.js";

const SCRIPT = fileURLToPath(new URL("testing/push-to-small-disk.ts", import.meta.url));
const inFolder = useFolder();

test.runIf(process.platform === "linux")(
  "records arrive whole although writes to disk end half-way",
  async () => {
    // In blocks of 1,024 bytes: about every ninth write ends half-way.
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
    // The write of the last record may have failed; then it was in memory only.
    const arrived = sink.arrived.filter((number) => number < 60).sort((a, b) => a - b);
    expect(arrived).toEqual(numbersUpTo(60));
    expect(delivery.stats()).toMatchObject({ rejected: 0, dropped: 0 });
  },
);

test("temporarily unreadable segments are kept, and sent in order later", async () => {
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
  // Reading a folder fails with EISDIR: like any error except ENOENT, it may be temporary.
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
    expect.stringContaining("nothing is lost, retrying"),
    "info: rollout-wire: the spool can be read again",
  ]);
});

test("the next process sends what one could not read of an orphaned log", async () => {
  const spoolDir = inFolder("spool");
  const open = (sink: NumberedSink): Delivery => createDelivery({ sink, spoolDir, queueSize: 10 });
  const down = new NumberedSink();
  down.attempt = () => {
    throw new Error("it is down");
  };
  const first = open(down);
  for (const number of numbersUpTo(50)) first.push({ number });
  await first.close();
  const folder = (): string => {
    const [log = ""] = readdirSync(inFolder("spool", "test")).filter((name) => name !== "owners");
    return inFolder("spool", "test", log);
  };
  renameSync(`${folder()}/00000002.jsonl`, inFolder("aside"));
  mkdirSync(`${folder()}/00000002.jsonl`);
  const one = new NumberedSink();
  const second = open(one);
  await eventually(() => one.arrived.length).toBe(10);
  await second.close();
  expect(second.stats()).toMatchObject({ recovered: 10, delivered: 10, dropped: 0 });

  rmdirSync(`${folder()}/00000002.jsonl`);
  renameSync(inFolder("aside"), `${folder()}/00000002.jsonl`);
  const other = new NumberedSink();
  const third = open(other);
  await eventually(() => other.arrived.length).toBe(40);
  await third.close();
  expect([...one.arrived, ...other.arrived]).toEqual(numbersUpTo(50));
  expect(third.stats()).toMatchObject({ recovered: 40, delivered: 40, dropped: 0 });
  expect(readdirSync(inFolder("spool"))).toEqual([]);
});
