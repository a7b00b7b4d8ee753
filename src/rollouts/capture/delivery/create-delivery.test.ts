import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { collectMessages } from "../../../base/testing/collect-messages.js";
import { eventually } from "../../../base/testing/eventually.js";
import { NumberedSink, numbersUpTo } from "../../../base/testing/numbered-sink.js";
import { useFolder } from "../../../base/testing/use-folder.js";
import { UserError } from "../../../base/user-error.js";
import { createDelivery } from "./create-delivery.js";
import type { Delivery, DeliveryOptions } from "./delivery.js";
import { createFileSink } from "./sinks/file.js";
import type { Sink } from "./sinks/sink.js";
import { SinkError } from "./sinks/sink.js";
import { printHeader, printRecord } from "./spool/segment.js";

const inFolder = useFolder();
const deliveries: Delivery[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const delivery of deliveries.splice(0)) {
    await delivery.close();
    expectBalance(delivery);
  }
});

/** Every record is counted exactly once. */
function expectBalance(delivery: Delivery): void {
  const { pushed, recovered, ...rest } = delivery.stats();
  const { delivered, rejected, handedOver, dropped, queued, spooled } = rest;
  expect(delivered + rejected + handedOver + dropped + queued + spooled).toBe(pushed + recovered);
}

const RETRY = { firstDelayMs: 1, maxDelayMs: 2 };

function open(options: Partial<DeliveryOptions> & Pick<DeliveryOptions, "sink">) {
  const { logger, messages } = collectMessages();
  const spoolDir = inFolder("spool");
  const delivery = createDelivery({ spoolDir, retry: RETRY, logger, ...options });
  deliveries.push(delivery);
  return { delivery, messages };
}

function pushAll(delivery: Delivery, count: number, first = 0): void {
  for (const number of numbersUpTo(count)) delivery.push({ number: first + number });
}

function down(): never {
  throw new Error("it is down");
}

/** The paths of all segments and dead letters in a folder. */
function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl"));
}

test("records arrive in order; those pushed during a write form batches", async () => {
  const sink = new NumberedSink();
  const { delivery, messages } = open({ sink, batchSize: 10 });
  delivery.push({ number: 0 });
  await eventually(() => sink.batches.length).toBe(1);
  pushAll(delivery, 25, 1);
  await delivery.flush();
  expect(sink.arrived).toEqual(numbersUpTo(26));
  expect(sink.batches.map(({ lines }) => lines.length)).toEqual([1, 10, 10, 5]);
  expect(new Set(sink.batches.map(({ key }) => key)).size).toBe(4);
  expect(delivery.stats()).toMatchObject({ state: "idle", pushed: 26, delivered: 26, queued: 0 });
  await delivery.close();
  expect([sink.isClosed, messages, filesOf(inFolder("spool"))]).toEqual([true, [], []]);
});

test("a record arrives as it was when it was pushed", async () => {
  const sink = new NumberedSink();
  const { delivery } = open({ sink });
  const record = { number: 1 };
  delivery.push(record);
  record.number = 2;
  await delivery.flush();
  expect(sink.arrived).toEqual([1]);
});

test("10,000 records and a slow sink: memory stays bounded and the order is kept", async () => {
  const sink = new NumberedSink();
  sink.attempt = () => nextTurn();
  const { delivery } = open({ sink, queueSize: 500, queueBytes: 50_000 });
  let most = { queued: 0, queuedBytes: 0, spooled: 0 };
  sink.attempt = async () => {
    const { queued, queuedBytes, spooled } = delivery.stats();
    most = {
      queued: Math.max(most.queued, queued),
      queuedBytes: Math.max(most.queuedBytes, queuedBytes),
      spooled: Math.max(most.spooled, spooled),
    };
    await nextTurn();
  };
  for (const number of numbersUpTo(10_000)) {
    delivery.push({ number, text: "x".repeat(number % 200) });
    if (number % 100 === 0) await nextTurn();
  }
  await eventually(() => delivery.stats().state).toBe("idle");
  expect(sink.arrived).toEqual(numbersUpTo(10_000));
  expect(most.queued).toBeLessThanOrEqual(500);
  expect(most.queuedBytes).toBeLessThanOrEqual(50_000 + 250);
  expect(most.spooled).toBeGreaterThan(1_000);
  expect(delivery.stats()).toMatchObject({ pushed: 10_000, delivered: 10_000, dropped: 0 });
});

test("a sink that is down is logged once, and once when it is back; nothing is lost", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery, messages } = open({ sink, queueSize: 10, batchSize: 4 });
  pushAll(delivery, 50);
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(5);
  expect(delivery.stats()).toMatchObject({ state: "failing", queued: 10, spooled: 40 });
  expect(delivery.stats().lastError).toBe("it is down");
  sink.attempt = () => {};
  await eventually(() => sink.arrived.length).toBe(50);
  expect(sink.arrived).toEqual(numbersUpTo(50));
  const keys = new Map(sink.batches.map(({ key, lines }) => [key, lines]));
  for (const { key, lines } of sink.batches) expect(keys.get(key)).toEqual(lines);
  expect(messages).toEqual([
    `warn: rollout-wire: the test does not accept records; they wait in ${inFolder("spool", "test")}: it is down`,
    expect.stringMatching(
      /^info: rollout-wire: the test accepts records again, after \d+ failed attempts$/,
    ),
  ]);
});

test("the wait is as long as the destination asks, within limits", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sink = new NumberedSink();
  sink.attempt = () => {
    throw new SinkError("unavailable", "429", 20_000);
  };
  const { delivery } = open({ sink, retry: { maxRetryAfterMs: 10_000 } });
  delivery.push({ number: 0 });
  while (delivery.stats().failedAttempts === 0) await nextTurn();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(sink.batches).toHaveLength(1);
  sink.attempt = () => {};
  await vi.advanceTimersByTimeAsync(1);
  expect(sink.arrived).toEqual([0]);
});

test("rejected records become dead letters and are not sent again; the rest is sent", async () => {
  const sink = new NumberedSink();
  sink.attempt = ({ lines }) => {
    if (lines[0] === '{"number":2}') throw new SinkError("rejected", "400: rank is missing");
  };
  const now = () => Date.UTC(2026, 0, 31);
  const { logger, messages } = collectMessages();
  const spoolDir = inFolder("spool");
  const delivery = createDelivery({ sink, spoolDir, logger, batchSize: 2 }, { now });
  deliveries.push(delivery);
  pushAll(delivery, 6);
  await delivery.close();
  expect(sink.arrived).toEqual([0, 1, 4, 5]);
  const rejects = inFolder("spool", "test", "rejected-2026-01-31.jsonl");
  expect(readFileSync(rejects, "utf8")).toBe('{"number":2}\n{"number":3}\n');
  expect(delivery.stats()).toMatchObject({ delivered: 4, rejected: 2, dropped: 0 });
  expect(messages).toEqual([
    `error: rollout-wire: the test rejected 2 records, and perhaps more: 400: rank is missing; kept in ${rejects}`,
  ]);
});

test("rejected records that cannot be kept are dropped, with a message", async () => {
  const sink = new NumberedSink();
  sink.attempt = () => {
    throw new SinkError("rejected", "400");
  };
  const { delivery, messages } = open({ sink, spoolDir: null });
  delivery.push({ number: 0 });
  await delivery.flush();
  expect(delivery.stats()).toMatchObject({ rejected: 0, dropped: 1 });
  expect(messages[0]).toContain(
    "error: rollout-wire: 1 record DROPPED, and perhaps more: the sink rejected them",
  );
});

test("any object with write and close is a sink, even one that throws synchronously", async () => {
  const taken: unknown[] = [];
  let isDown = true;
  const sink: Sink = {
    write(records) {
      if (isDown) throw "no";
      taken.push(...records);
      return Promise.resolve();
    },
    close: () => Promise.reject(new Error("will not close")),
  };
  const { delivery, messages } = open({ sink });
  delivery.push({ a: { b: 1 } });
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(1);
  isDown = false;
  await eventually(() => taken).toEqual([{ a: { b: 1 } }]);
  await delivery.close();
  expect(messages.at(-1)).toContain("the sink did not close: will not close");
});

test("flush does not wait for a failing sink if the records are on disk", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery } = open({ sink, retry: { firstDelayMs: 1e9 } });
  pushAll(delivery, 3);
  await delivery.flush();
  // It does not wait for the interval before the next attempt.
  expect(delivery.stats().failedAttempts).toBe(1);
  await delivery.flush();
  expect(delivery.stats().failedAttempts).toBe(2);
  // But only once: a flush after each record must not cancel the intervals.
  for (const _ of numbersUpTo(20)) await delivery.flush();
  expect(sink.batches).toHaveLength(2);
  sink.attempt = () => {};
  await delivery.close();
  expect(sink.arrived).toEqual([0, 1, 2]);
});

test("neither flush nor close cuts short a wait that the destination asked for", async () => {
  const sink = new NumberedSink();
  sink.attempt = () => {
    throw new SinkError("unavailable", "429", 600_000);
  };
  const { delivery } = open({ sink });
  delivery.push({ number: 0 });
  await delivery.flush();
  for (const _ of numbersUpTo(20)) await delivery.flush();
  await Promise.all(numbersUpTo(20).map(() => delivery.flush()));
  await delivery.close();
  expect(sink.batches).toHaveLength(1);
});

test("after a success, a flush may make an immediate attempt again", async () => {
  const sink = new NumberedSink();
  const { delivery } = open({ sink, retry: { firstDelayMs: 1e9 } });
  for (const number of numbersUpTo(3)) {
    sink.attempt = down;
    delivery.push({ number });
    await delivery.flush();
    sink.attempt = () => {};
    await delivery.flush();
    expect(sink.arrived).toEqual(numbersUpTo(number + 1));
  }
});

test("flush and close do not wait for ever for a sink that hangs", async () => {
  const sink = new NumberedSink();
  sink.attempt = () => new Promise(() => {});
  const { delivery } = open({ sink, flushTimeoutMs: 10 });
  delivery.push({ number: 0 });
  await eventually(() => sink.batches.length).toBe(1);
  await delivery.flush();
  await delivery.close();
  expect(delivery.stats()).toMatchObject({ state: "closed", queued: 1, dropped: 0 });
  const next = new NumberedSink();
  await open({ sink: next }).delivery.flush();
  await eventually(() => next.arrived).toEqual([0]);
  expect(next.batches[0]?.key).toBe(sink.batches[0]?.key);
});

test("records left by one process are sent by the next, first and under the same keys", async () => {
  const first = new NumberedSink();
  first.attempt = down;
  const one = open({ sink: first, queueSize: 4, batchSize: 3 });
  pushAll(one.delivery, 10);
  await one.delivery.close();
  const second = new NumberedSink();
  const two = open({ sink: second });
  pushAll(two.delivery, 5, 10);
  await two.delivery.flush();
  expect(second.arrived).toEqual(numbersUpTo(15));
  expect(second.batches[0]).toEqual(first.batches[0]);
  expect(two.delivery.stats()).toMatchObject({ pushed: 5, recovered: 10, delivered: 15 });
  expect(two.messages[0]).toMatch(
    /^info: rollout-wire: sending 1 log that ended processes left in .*test$/,
  );
  await two.delivery.close();
  expect(filesOf(inFolder("spool"))).toEqual([]);
});

test("records for another destination are not sent, and a message names it", async () => {
  const first = Object.assign(new NumberedSink(), { id: "http-old.example-1" });
  first.attempt = down;
  const one = open({ sink: first });
  one.delivery.push({ number: 0 });
  await one.delivery.close();
  const second = new NumberedSink();
  const two = open({ sink: second });
  two.delivery.push({ number: 1 });
  await two.delivery.flush();
  expect(second.arrived).toEqual([1]);
  expect(two.messages).toEqual([
    expect.stringContaining("which this process does not send: http-old.example-1"),
  ]);
});

test("a second close does nothing; records pushed later are sent by the next process", async () => {
  const sink = new NumberedSink();
  const { delivery } = open({ sink });
  delivery.push({ number: 0 });
  await delivery.flush();
  expect(delivery.close()).toBe(delivery.close());
  delivery.push({ number: 1 });
  await delivery.close();
  delivery.push({ number: 2 });
  await delivery.flush();
  expect(delivery.stats()).toMatchObject({ pushed: 3, delivered: 1, dropped: 0, state: "closed" });
  const next = new NumberedSink();
  open({ sink: next });
  await eventually(() => next.arrived).toEqual([1, 2]);
});

test("without a spool, a record pushed after close is dropped, with a message", async () => {
  const { delivery, messages } = open({ sink: new NumberedSink(), spoolDir: null });
  await delivery.close();
  delivery.push({ number: 0 });
  expect(delivery.stats().dropped).toBe(1);
  expect(messages).toEqual([
    "error: rollout-wire: 1 record DROPPED, and perhaps more: it was pushed after close",
  ]);
});

test("without a spool, records beyond the limit are dropped, with one message", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery, messages } = open({ sink, spoolDir: null, queueSize: 3, flushTimeoutMs: 20 });
  pushAll(delivery, 8);
  expect(delivery.stats()).toMatchObject({ queued: 3, dropped: 5 });
  await delivery.flush();
  await delivery.close();
  expect(delivery.stats()).toMatchObject({ delivered: 0, dropped: 8 });
  expect(messages).toEqual([
    "error: rollout-wire: 1 record DROPPED, and perhaps more: 3 records waiting, and there is no spool",
    "warn: rollout-wire: the test does not accept records; they wait in memory: it is down",
    expect.stringContaining("3 records DROPPED: neither the sink nor the disk accepted them"),
  ]);
});

test("a full spool drops new records, with one message, and keeps the old ones", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery, messages } = open({ sink, queueSize: 2, spoolMaxBytes: 200 });
  pushAll(delivery, 100);
  const { dropped, spoolBytes } = delivery.stats();
  expect(dropped).toBeGreaterThan(50);
  expect(spoolBytes).toBeLessThanOrEqual(250);
  sink.attempt = () => {};
  await eventually(() => delivery.stats().state).toBe("idle");
  expect(sink.arrived).toEqual(numbersUpTo(100 - dropped));
  expect(messages.filter((each) => each.includes("DROPPED"))).toEqual([
    expect.stringMatching(
      /1 record DROPPED, and perhaps more: \d+ records waiting, and .* holds spoolMaxBytes \(200\)$/,
    ),
  ]);
  // There is room again.
  pushAll(delivery, 3, 200);
  await delivery.flush();
  expect(sink.arrived.slice(-3)).toEqual([200, 201, 202]);
});

test("if the spool cannot be written, records wait in memory, and are saved once it can be", async () => {
  writeFileSync(inFolder("spool"), "in the way");
  const sink = new NumberedSink();
  sink.attempt = down;
  let now = Date.now();
  let elapsed = 0;
  const { logger, messages } = collectMessages();
  const options = { sink, spoolDir: inFolder("spool"), retry: RETRY, logger, flushTimeoutMs: 20 };
  const parts = { now: () => now, elapsed: () => elapsed };
  const delivery = createDelivery({ ...options, batchSize: 2, queueSize: 8 }, parts);
  deliveries.push(delivery);
  pushAll(delivery, 5);
  expect(messages).toEqual([
    expect.stringMatching(
      /^error: rollout-wire: the spool .* cannot be written: .*ENOTDIR.*; until then, new records are in memory only$/,
    ),
  ]);
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(1);
  rmSync(inFolder("spool"));
  // No attempt for a moment: failing each time would cost the agent more than writing.
  pushAll(delivery, 1, 5);
  expect(messages.join()).not.toContain("can be written again");
  // Even if the wall clock is set back meanwhile.
  now -= 3_600_000;
  elapsed += 2_000;
  pushAll(delivery, 2, 6);
  expect(messages).toContain("info: rollout-wire: the spool can be written again");
  await delivery.close();
  expect(delivery.stats().dropped).toBe(0);
  const next = new NumberedSink();
  open({ sink: next });
  await eventually(() => next.arrived.length).toBe(8);
  expect(new Set(next.arrived)).toEqual(new Set(numbersUpTo(8)));
  expect(next.batches.map(({ key }) => key)).toContain(sink.batches[0]?.key);
});

test.runIf(process.platform === "linux")(
  "a folder that cannot be created harms nothing, as spool or as file sink",
  async () => {
    const files = createFileSink({ type: "file", dir: "/proc/rollout-wire" });
    const sink: Sink = { write: (records) => files.write(records), close: () => files.close() };
    const { delivery, messages } = open({
      sink,
      spoolDir: "/proc/rollout-wire",
      flushTimeoutMs: 9,
    });
    delivery.push({ number: 0 });
    await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(0);
    expect(messages[0]).toMatch(/the spool .* cannot be written: ENOENT/);
    expect(delivery.stats()).toMatchObject({ queued: 1, dropped: 0 });
  },
);

test("a spool that is removed while in use is created again", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery } = open({ sink, queueSize: 4 });
  pushAll(delivery, 3);
  rmSync(inFolder("spool"), { recursive: true });
  pushAll(delivery, 3, 3);
  sink.attempt = () => {};
  await eventually(() => sink.arrived).toEqual(numbersUpTo(6));
  expect(delivery.stats().dropped).toBe(0);
});

test("records that were only in a removed spool are dropped, with a message", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery, messages } = open({ sink, queueSize: 4 });
  pushAll(delivery, 7);
  rmSync(inFolder("spool"), { recursive: true });
  pushAll(delivery, 3, 7);
  sink.attempt = () => {};
  await eventually(() => sink.arrived).toEqual([0, 1, 2, 3, 7, 8, 9]);
  expect(delivery.stats().dropped).toBe(3);
  expect(messages.join("\n")).toContain("3 records DROPPED: the spool cannot be read");
});

test("records in a log that another process took are handed over, and later ones arrive", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery, messages } = open({ sink, queueSize: 4 });
  pushAll(delivery, 7);
  const folder = inFolder("spool", "test");
  const [log = ""] = readdirSync(folder).filter((name) => name !== "owners");
  const taken = log.replace(/\..*$/, ".0123456789abcdef");
  writeFileSync(inFolder("spool", "test", "owners", "0123456789abcdef"), "{}");
  renameSync(inFolder("spool", "test", log), inFolder("spool", "test", taken));
  pushAll(delivery, 3, 7);
  sink.attempt = () => {};
  await eventually(() => sink.arrived).toEqual([0, 1, 2, 3, 7, 8, 9]);
  expect(delivery.stats().dropped).toBe(0);
  expect(messages.filter((each) => each.startsWith("error"))).toEqual([]);
  expect(filesOf(folder).some((name) => name.startsWith(taken))).toBe(true);
});

test("damaged lines of a spool become dead letters", async () => {
  const log = inFolder("spool", "test", "0mwreih5n-2d33244dd677.nobody");
  mkdirSync(log, { recursive: true });
  const place = { log: "0mwreih5n-2d33244dd677", segment: 1 };
  const first = printRecord(place, { record: 1, batch: 1, line: '{"number":0}' });
  const third = printRecord(place, { record: 3, batch: 1, line: '{"number":1}' });
  writeFileSync(
    `${log}/00000001.jsonl`,
    `${printHeader(place)}${first}\0\0\0\n${third}${third.slice(0, 20)}`,
  );
  const sink = new NumberedSink();
  const { delivery, messages } = open({ sink });
  await eventually(() => sink.arrived).toEqual([0, 1]);
  expect(delivery.stats()).toMatchObject({ recovered: 3, rejected: 1, delivered: 2 });
  await eventually(() => messages.join()).toContain("the spool has 1 damaged line: kept in");
});

test("an altered record that was on disk only becomes a dead letter; a missing one is counted", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const { delivery, messages } = open({ sink, queueSize: 5 });
  pushAll(delivery, 15);
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(0);
  const [segment = ""] = filesOf(inFolder("spool")).filter((name) => name.endsWith("2.jsonl"));
  const path = inFolder("spool", segment);
  const lines = readFileSync(path, "utf8").split("\n");
  const altered = lines.map((line) => line.replace('"number":6', '"number":99'));
  writeFileSync(path, altered.filter((line) => !line.includes('"number":8')).join("\n"));
  sink.attempt = () => {};
  await eventually(() => delivery.stats().state).toBe("idle");
  expect(sink.arrived).toEqual(numbersUpTo(15).filter((number) => number !== 6 && number !== 8));
  expect(delivery.stats()).toMatchObject({ delivered: 13, rejected: 1, dropped: 1 });
  expect(messages.join("\n")).toContain("the spool has 1 damaged line: kept in");
  expect(messages.join("\n")).toContain("1 record DROPPED: missing in");
});

test("a record that JSON cannot hold is counted and logged; nothing is thrown", async () => {
  const sink = new NumberedSink();
  const { delivery, messages } = open({ sink });
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  delivery.push(cycle);
  delivery.push({ number: Number.NaN });
  delivery.push({ number: Number.NaN });
  await delivery.flush();
  expect(delivery.stats()).toMatchObject({
    pushed: 3,
    dropped: 1,
    unprintable: 1,
    altered: 2,
    delivered: 2,
  });
  expect(messages).toEqual([
    expect.stringContaining(
      "1 record DROPPED, and perhaps more: it cannot be printed as JSON: Converting circular",
    ),
    'warn: rollout-wire: a record was altered: JSON cannot hold NaN at "/number"',
  ]);
});

test("a logger that throws harms nothing", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  const logger = { info: down, warn: down, error: down };
  const { delivery } = open({ sink, logger });
  delivery.push({ number: 0 });
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(1);
  sink.attempt = () => {};
  await eventually(() => sink.arrived).toEqual([0]);
});

test("a user's sink may have any id; its folder stays within the spool", async () => {
  for (const id of ["../../away", ".", 5, "", "a/b\\c"]) {
    const sink = { id, name: 7, retry: 3, write: down, close: down };
    const { delivery } = open({ sink: sink as never, retry: undefined });
    delivery.push({ number: 0 });
    await delivery.close();
  }
  expect(readdirSync(inFolder("spool")).sort()).toEqual(["_", "_._.._away", "a_b_c", "custom"]);
  expect(readdirSync(inFolder())).toEqual(["spool"]);
});

test("several deliveries share a spool", async () => {
  const sinks = [new NumberedSink(), new NumberedSink()];
  const opened = sinks.map((sink) => open({ sink, queueSize: 5 }).delivery);
  for (const delivery of opened) pushAll(delivery, 30);
  for (const delivery of opened) await delivery.flush();
  expect(sinks.map(({ arrived }) => arrived)).toEqual([numbersUpTo(30), numbersUpTo(30)]);
});

test("a delivery with a file sink writes the daily file", async () => {
  const sink = createFileSink({ type: "file", dir: inFolder("out") }, () => Date.UTC(2026, 0, 31));
  const { delivery } = open({ sink });
  pushAll(delivery, 3);
  await delivery.close();
  const text = readFileSync(inFolder("out", "rollouts-2026-01-31.jsonl"), "utf8");
  expect(text).toBe('{"number":0}\n{"number":1}\n{"number":2}\n');
});

test.each([
  [{ queueSize: 0 }, "queueSize: must be a number from 1"],
  [{ batchSize: Number.NaN }, "batchSize: must be a number from 1"],
  [{ spoolMaxBytes: -1 }, "spoolMaxBytes: must be a number from 0"],
  [{ spoolDir: "" }, "spoolDir: must be the path of a folder, or null for none"],
  [{ spooldir: "x" }, 'there is no option "spooldir" (did you mean spoolDir?)'],
  [
    { retry: { firstDelay: 5 } as never },
    'there is no option "firstDelay" (did you mean firstDelayMs?)',
  ],
  [{ retry: { firstDelayMs: 0 } }, "retry: firstDelayMs must be a number from 1"],
  [{ sink: { type: "file" } as never }, "sink: must be an object with write and close"],
])("%o is an error", (options, message) => {
  const create = () => createDelivery({ sink: new NumberedSink(), ...options });
  expect(create).toThrow(UserError);
  expect(create).toThrow(message);
});

test.each([null, undefined, "file"])("%o is an error, instead of options", (given) => {
  const create = (): unknown => Reflect.apply(createDelivery, undefined, [given]);
  expect(create).toThrow(UserError);
  expect(create).toThrow("createDelivery: the options must be an object");
});

test("after a flush nothing waits on disk, and the next record is written as before", async () => {
  const sink = new NumberedSink();
  const { delivery } = open({ sink });
  for (const number of [0, 1]) {
    delivery.push({ number });
    expect(filesOf(inFolder("spool"))).toHaveLength(1);
    await delivery.flush();
    expect(filesOf(inFolder("spool"))).toEqual([]);
  }
  expect(sink.arrived).toEqual([0, 1]);
});

test("with sink and disk both out of order, flush and close do not wait for their limit, and say what is lost", async () => {
  const sink = new NumberedSink();
  sink.attempt = down;
  writeFileSync(inFolder("file"), "");
  const spoolDir = inFolder("file", "spool");
  // The limit is longer than a test may take.
  const { delivery, messages } = open({ sink, spoolDir, flushTimeoutMs: 2 ** 31 - 1 });
  pushAll(delivery, 7);
  await delivery.flush();
  expect(messages.at(-1)).toMatch(/^error: .*: 7 records in memory only, LOST if the process ends/);
  await delivery.close();
  expect(messages.at(-1)).toMatch(/^error: .*: 7 records DROPPED: neither the sink nor the disk/);
});
