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
import { collectMessages } from "../testing/collect-messages.js";
import { useFolder } from "../testing/use-folder.js";
import { DeadLetters } from "./dead-letters.js";
import { Ledger } from "./ledger.js";
import { OrphanedLogs } from "./orphaned-logs.js";
import { SpoolFolder } from "./spool/folder.js";

const inFolder = useFolder();
const OLD = "0mwreih5n-2d33244dd677.nobody";
const NEW = "0mwreih6n-2d33244dd677.nobody";

function leaveLog(name: string, segments: readonly string[]): void {
  mkdirSync(inFolder("test", name), { recursive: true });
  for (const [index, text] of segments.entries()) {
    writeFileSync(inFolder("test", name, `0000000${index + 1}.jsonl`), `${text}\n`);
  }
}

function openLogs() {
  const folder = new SpoolFolder(inFolder(), "test", Date.now);
  const { logger, messages } = collectMessages();
  const ledger = new Ledger(logger, "the test", folder.path);
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
  return { logs, ledger, messages, drain, send };
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
  expect(readFileSync(inFolder("test", log, "done"), "utf8")).toMatch(/^done 1 1 0 of 0 open /);

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
  writeFileSync(inFolder("aside"), '{"n":1}\n');
  mkdirSync(inFolder("test"));
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
  ]);
});
