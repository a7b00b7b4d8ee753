import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { collectMessages } from "../../../base/testing/collect-messages.js";
import { useFolder } from "../../../base/testing/use-folder.js";
import { DeadLetters } from "./dead-letters.js";
import { Ledger } from "./ledger.js";
import { OrphanedLogs } from "./orphaned-logs.js";
import { SpoolFolder } from "./spool/folder.js";
import { SpoolLog } from "./spool/log.js";
import { toSegmentName } from "./spool/names.js";
import { writeProgress } from "./spool/progress.js";
import { printHeader, printRecord } from "./spool/segment.js";

const inFolder = useFolder();
const OLD = "0mwreih5n-2d33244dd677.nobody";
const NEW = "0mwreih6n-2d33244dd677.nobody";

/** Leaves a log of a process that was killed: a segment for each record. */
function leaveLog(name: string, lines: readonly string[]): void {
  mkdirSync(inFolder("test", name), { recursive: true });
  for (const [index, line] of lines.entries()) {
    const place = { log: idOf(name), segment: index + 1 };
    const text = printHeader(place) + printRecord(place, { record: index + 1, batch: 1, line });
    writeFileSync(inFolder("test", name, toSegmentName(place.segment)), text);
  }
}

function idOf(name: string): string {
  return name.replace(".nobody", "");
}

function openLogs() {
  const folder = new SpoolFolder(inFolder(), "test", Date.now);
  const { logger, messages } = collectMessages();
  const announced: string[] = [];
  const info = (message: string): void => {
    if (message.includes("that ended processes left")) announced.push(message);
    else logger.info(message);
  };
  const ledger = new Ledger({ ...logger, info }, "the test", folder.path);
  const deadLetters = new DeadLetters(folder.path, ledger, 1e6, Date.now);
  const logs = new OrphanedLogs(folder, ledger, deadLetters);
  /** Sends everything that can be read now. */
  async function drain(): Promise<string[]> {
    const sent: string[] = [];
    for (let batch = await logs.next(); batch; batch = await logs.next()) {
      sent.push(...batch.lines);
      logs.finish();
    }
    return sent;
  }
  async function send(): Promise<string[]> {
    await logs.adopt();
    return drain();
  }
  return { logs, ledger, messages, announced, drain, send };
}

test("an unreadable segment stops its log but no other, and is sent once it can be read", async () => {
  leaveLog(OLD, ['{"n":1}', '{"n":2}', '{"n":3}']);
  leaveLog(NEW, ['{"n":4}']);
  const segment = inFolder("test", OLD, "00000002.jsonl");
  renameSync(segment, inFolder("aside"));
  mkdirSync(segment);
  const { logs, ledger, messages, send } = openLogs();
  expect(await send()).toEqual(['{"n":1}', '{"n":4}']);
  expect(await send()).toEqual([]);
  expect(messages).toEqual([
    expect.stringMatching(/^error: .*00000002\.jsonl cannot be read, retrying: EISDIR/),
  ]);
  expect(ledger.counts.recovered).toBe(2);
  expect(ledger.orphanedBytes).toBeGreaterThan(0);
  expect(logs.isEmpty).toBe(true);
  // The segments after it are neither marked as done nor removed.
  const [log = ""] = readdirSync(inFolder("test")).filter((name) => name !== "owners");
  expect(readFileSync(inFolder("test", log, "done"), "utf8")).toMatch(/^done 1 1 1 of 1 open /);

  rmdirSync(inFolder("test", log, "00000002.jsonl"));
  renameSync(inFolder("aside"), inFolder("test", log, "00000002.jsonl"));
  expect(await send()).toEqual(['{"n":2}', '{"n":3}']);
  expect(messages.slice(1)).toEqual([
    expect.stringMatching(/^info: .*00000002\.jsonl can be read again: sending it$/),
  ]);
  expect([ledger.counts.recovered, ledger.orphanedBytes]).toEqual([4, 0]);
  expect(readdirSync(inFolder("test"))).toEqual(["owners"]);
});

test("a log that cannot be listed is retried", async () => {
  leaveLog(OLD, ['{"n":1}']);
  renameSync(inFolder("test", OLD, "00000001.jsonl"), inFolder("aside"));
  rmdirSync(inFolder("test", OLD));
  // A file in its place.
  renameSync(inFolder("aside"), inFolder("test", OLD));
  const { logs, messages, send } = openLogs();
  expect(await send()).toEqual([]);
  expect([messages.length, logs.isEmpty]).toEqual([1, true]);
  const [log = ""] = readdirSync(inFolder("test")).filter((name) => name !== "owners");
  renameSync(inFolder("test", log), inFolder("aside"));
  mkdirSync(inFolder("test", log));
  renameSync(inFolder("aside"), inFolder("test", log, "00000001.jsonl"));
  expect(await send()).toEqual(['{"n":1}']);
});

test("a segment that is gone is logged, and the rest is sent", async () => {
  leaveLog(OLD, ['{"n":1}', '{"n":2}', '{"n":3}']);
  const { logs, messages, drain } = openLogs();
  await logs.adopt();
  const [log = ""] = readdirSync(inFolder("test")).filter((name) => name !== "owners");
  rmSync(inFolder("test", log, "00000002.jsonl"));
  expect(await drain()).toEqual(['{"n":1}', '{"n":3}']);
  expect(messages).toEqual([
    expect.stringMatching(/^error: .*00000002\.jsonl is gone; this process did not send it$/),
    expect.stringMatching(/^error: .*1 record DROPPED: missing on disk, in or before .*00000003/),
  ]);
});

/** A log of `count` records in segments of two, each a batch; `done` of them have arrived. */
function leaveNumbered(count: number, done = 0): void {
  mkdirSync(inFolder("test", OLD), { recursive: true });
  const limits = { batchSize: 2, batchBytes: 1e6, segmentSize: 2, segmentBytes: 1e6 };
  const log = new SpoolLog(inFolder("test", OLD), idOf(OLD), limits);
  for (let number = 1; number <= count; number += 1) {
    const position = log.append(JSON.stringify({ number }));
    if (number === done) log.finish(position);
  }
  log.close(false);
}

const numbersOf = (lines: readonly string[]): number[] =>
  lines.map((line) => JSON.parse(line).number);

test("a segment that was missing before the takeover is counted", async () => {
  leaveNumbered(8);
  rmSync(inFolder("test", OLD, "00000002.jsonl"));
  const { ledger, messages, send } = openLogs();
  expect(numbersOf(await send())).toEqual([1, 2, 5, 6, 7, 8]);
  expect(ledger.counts).toMatchObject({ recovered: 8, dropped: 2, rejected: 0 });
  expect(messages).toEqual([
    expect.stringMatching(/^error: .*2 records DROPPED: missing on disk, in or before .*00000003/),
  ]);
});

test("an altered digit in the note skips nothing", async () => {
  leaveNumbered(8, 2);
  const note = inFolder("test", OLD, "done");
  writeFileSync(note, readFileSync(note, "utf8").replace("done 1", "done 4"));
  const { ledger, messages, send } = openLogs();
  expect(numbersOf(await send())).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(ledger.counts).toMatchObject({ recovered: 8, dropped: 0 });
  expect(messages).toEqual([
    expect.stringMatching(/^warn: .*the note of progress in .* is damaged/),
  ]);
});

test("an altered record becomes a dead letter, although it is valid JSON", async () => {
  leaveNumbered(4);
  const segment = inFolder("test", OLD, "00000002.jsonl");
  writeFileSync(segment, readFileSync(segment, "utf8").replace('"number":3', '"number":9'));
  const { ledger, messages, send } = openLogs();
  expect(numbersOf(await send())).toEqual([1, 2, 4]);
  expect(ledger.counts).toMatchObject({ recovered: 4, rejected: 1, dropped: 0 });
  expect(messages).toEqual([expect.stringMatching(/^error: .*1 damaged line: kept in/)]);
});

test("without a note and an intact record, each damaged line becomes a dead letter", async () => {
  leaveNumbered(4, 2);
  rmSync(inFolder("test", OLD, "done"));
  rmSync(inFolder("test", OLD, "00000001.jsonl"), { force: true });
  writeFileSync(inFolder("test", OLD, "00000002.jsonl"), '{"number":3}\n{"number":4}\n');
  const { ledger, messages, send } = openLogs();
  expect(await send()).toEqual([]);
  expect(ledger.counts).toMatchObject({ recovered: 2, rejected: 2, dropped: 0 });
  expect(messages).toEqual([
    expect.stringMatching(/^error: .*it is unknown whether the segments before 2 have arrived/),
    expect.stringMatching(/^error: .*2 damaged lines: kept in/),
  ]);
});

test("a log is announced when it is sent, and not if everything in it has arrived", async () => {
  leaveLog(OLD, ['{"number":1}']);
  const arrived = { segment: 1, batch: 1, record: 1, written: 1, isClosed: false };
  writeProgress(inFolder("test", OLD), idOf(OLD), arrived);
  const { announced, send } = openLogs();
  expect(await send()).toEqual([]);
  expect([announced, readdirSync(inFolder("test"))]).toEqual([[], ["owners"]]);
  leaveLog(NEW, ['{"number":2}']);
  expect(numbersOf(await send())).toEqual([2]);
  expect(announced).toEqual([
    expect.stringMatching(/: sending 1 log that ended processes left in /),
  ]);
});
