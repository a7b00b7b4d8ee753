import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collectMessages } from "../../../base/testing/collect-messages.js";
import { runCount } from "../../../base/testing/run-count.js";
import { DeadLetters } from "./dead-letters.js";
import { Ledger } from "./ledger.js";
import { OrphanedLog } from "./orphaned-logs.js";
import { type QueueLimits, RecordQueue } from "./queue.js";
import type { Batch } from "./sinks/sink.js";
import { SpoolFolder } from "./spool/folder.js";

const LIMITS = {
  queueSize: 5,
  queueBytes: 600,
  spoolMaxBytes: 1e6,
  batchSize: 3,
  batchBytes: 120,
  segmentSize: 5,
  segmentBytes: 400,
};

/** A spool that one process after another uses, and the records that arrived. */
class Life {
  readonly #root = mkdtempSync(join(tmpdir(), "rollout-wire-queue-"));
  readonly #batches = new Map<string, readonly string[]>();
  readonly #limits: QueueLimits;
  readonly #log = collectMessages();
  readonly #ledger = new Ledger(this.#log.logger, "the test", this.#root);
  readonly #deadLetters = new DeadLetters(this.#root, this.#ledger, 0, Date.now);
  readonly arrived: number[] = [];
  /** The records that `push` accepted. */
  readonly kept: number[] = [];
  pushed = 0;
  #now = 1_000;
  #folder = this.#openFolder();
  #queue: RecordQueue;

  constructor(limits: QueueLimits = LIMITS) {
    this.#limits = limits;
    this.#queue = this.#openQueue();
  }

  push(length: number): void {
    const line = JSON.stringify({ number: this.pushed, text: "x".repeat(length) });
    if (this.#queue.push(line)) this.kept.push(this.pushed);
    this.pushed += 1;
    expect(this.#queue.queued).toBeLessThanOrEqual(LIMITS.queueSize);
    // One record may be larger than all limits.
    expect(this.#queue.spoolBytes).toBeLessThanOrEqual(this.#limits.spoolMaxBytes + 1_000);
  }

  /** Sends the first batch; unless `isSure`, the process does not learn that it arrived. */
  async send(isSure: boolean): Promise<boolean> {
    const batch = await this.#queue.next();
    if (batch === undefined) return false;
    this.#see(batch, isSure);
    if (isSure) this.#queue.finish();
    return true;
  }

  /** The process ends, by itself or killed. Another one sends `count` of the batches it left, or all. */
  async restart(isKilled: boolean, count: number): Promise<void> {
    if (!isKilled) expect(this.#queue.close()).toBe(0);
    this.#folder.release();
    this.#folder = this.#openFolder();
    let rest = count;
    for (const log of await this.#folder.claim()) {
      const left = new OrphanedLog(log, this.#ledger, this.#deadLetters);
      for (let batch = await left.next(); batch; batch = await left.next()) {
        if (rest === 0) return this.restart(true, Number.POSITIVE_INFINITY);
        rest -= 1;
        this.#see(batch, true);
        left.finish();
      }
      left.remove();
    }
    this.#queue = this.#openQueue();
  }

  async end(): Promise<void> {
    while (await this.send(true));
    this.#queue.close();
    this.#folder.release();
    // Nothing failed, was lost, or went to another process.
    expect(this.#log.messages).toEqual([]);
    expect(this.#ledger.counts).toMatchObject({ dropped: 0, handedOver: 0, rejected: 0 });
    rmSync(this.#root, { recursive: true });
  }

  #see({ key, lines }: Batch, isSure: boolean): void {
    // A copy, so that a batch that still grows is noticed.
    expect(this.#batches.get(key) ?? lines).toEqual(lines);
    this.#batches.set(key, [...lines]);
    expect(lines.length).toBeLessThanOrEqual(LIMITS.batchSize);
    if (isSure) for (const line of lines) this.arrived.push(JSON.parse(line).number);
  }

  #openFolder(): SpoolFolder {
    return new SpoolFolder(this.#root, "custom", () => (this.#now += 1));
  }

  #openQueue(): RecordQueue {
    const now = (): number => this.#now;
    return new RecordQueue(this.#limits, this.#folder, this.#ledger, this.#deadLetters, {
      now,
      elapsed: now,
    });
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ push: fc.oneof(fc.nat(10), fc.nat(10), fc.nat(700)) }) },
  { weight: 3, arbitrary: fc.record({ isSure: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ isKilled: fc.boolean(), count: fc.nat(4) }) },
);

test("each record arrives once, in order and under one key, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const life = new Life();
      for (const each of steps) {
        if ("push" in each) life.push(each.push);
        else if ("isSure" in each) await life.send(each.isSure);
        else await life.restart(each.isKilled, each.count);
      }
      await life.end();
      expect(life.arrived).toEqual(Array.from({ length: life.pushed }, (_, number) => number));
    }),
    { numRuns: runCount(150, 20) },
  );
});

test("a spool that is often full loses no accepted record", async () => {
  const calm = fc.oneof(
    { weight: 5, arbitrary: fc.record({ push: fc.oneof(fc.nat(10), fc.nat(200)) }) },
    { weight: 3, arbitrary: fc.record({ isSure: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ count: fc.nat(4) }) },
  );
  let dropped = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(calm, { maxLength: 60 }), async (steps) => {
      const life = new Life({ ...LIMITS, spoolMaxBytes: 500 });
      for (const each of steps) {
        if ("push" in each) life.push(each.push);
        else if ("isSure" in each) await life.send(each.isSure);
        else await life.restart(false, each.count);
      }
      await life.end();
      expect([...life.arrived].sort((a, b) => a - b)).toEqual(life.kept);
      dropped += life.pushed - life.kept.length;
    }),
    { numRuns: runCount(150, 40) },
  );
  expect(dropped).toBeGreaterThan(0);
});

test("pushing during a read from disk keeps the order", async () => {
  const life = new Life();
  for (let number = 0; number < 40; number += 1) life.push(10);
  while (life.arrived.length < life.pushed) {
    const sent = life.send(true);
    if (life.pushed < 100) life.push(5);
    await sent;
  }
  await life.end();
  expect(life.arrived).toEqual(Array.from({ length: life.pushed }, (_, number) => number));
});
