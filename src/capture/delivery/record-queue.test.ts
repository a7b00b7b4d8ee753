import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Batch } from "../sinks/sink.js";
import { LeftLog } from "./left-log.js";
import { RecordQueue } from "./record-queue.js";
import { SpoolFolder } from "./spool-folder.js";

const LIMITS = {
  queueSize: 5,
  queueBytes: 200,
  spoolMaxBytes: 1e6,
  batchSize: 3,
  batchBytes: 60,
  segmentSize: 5,
  segmentBytes: 150,
};

/** A spool as one process after the other has it, and what arrived of it. */
class Life {
  readonly #root = mkdtempSync(join(tmpdir(), "rollout-wire-queue-"));
  readonly #batches = new Map<string, readonly string[]>();
  readonly arrived: number[] = [];
  pushed = 0;
  #now = 1_000;
  #folder = this.#openFolder();
  #queue = this.#openQueue();

  push(length: number): void {
    const line = JSON.stringify({ number: this.pushed, text: "x".repeat(length) });
    expect(this.#queue.push(line)).toBe(true);
    this.pushed += 1;
    expect(this.#queue.queued).toBeLessThanOrEqual(LIMITS.queueSize);
    expect(this.#queue.unsaved).toBe(0);
  }

  /** Sends the first batch; `isSure` when it is known to have arrived. */
  async send(isSure: boolean): Promise<boolean> {
    const batch = await this.#queue.next();
    if (batch === undefined) return false;
    this.#see(batch, isSure);
    if (isSure) this.#queue.finish();
    return true;
  }

  /** The process ends: on its own or killed. Another one sends `count` batches that it left, or all. */
  async restart(isKilled: boolean, count: number): Promise<void> {
    if (!isKilled) expect(this.#queue.close()).toBe(0);
    this.#folder.release();
    this.#folder = this.#openFolder();
    let rest = count;
    for (const log of await this.#folder.claim()) {
      const fail = (): never => expect.fail("the spool is whole");
      const left = new LeftLog(log, { found: () => {}, damaged: fail, unreadable: fail });
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
    rmSync(this.#root, { recursive: true });
  }

  #see({ key, lines }: Batch, isSure: boolean): void {
    // Copied: a batch that still grew would go unnoticed.
    expect(this.#batches.get(key) ?? lines).toEqual(lines);
    this.#batches.set(key, [...lines]);
    expect(lines.length).toBeLessThanOrEqual(LIMITS.batchSize);
    if (isSure) for (const line of lines) this.arrived.push(JSON.parse(line).number);
  }

  #openFolder(): SpoolFolder {
    return new SpoolFolder(this.#root, "custom", () => (this.#now += 1));
  }

  #openQueue(): RecordQueue {
    const fail = (): never => expect.fail("the disk works");
    const events = { diskFailed: fail, diskWorks: () => {}, lost: fail, handedOver: fail };
    return new RecordQueue(LIMITS, this.#folder, events, () => this.#now);
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ push: fc.nat(250) }) },
  { weight: 3, arbitrary: fc.record({ isSure: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ isKilled: fc.boolean(), count: fc.nat(4) }) },
);

test("whatever happens, each record arrives once and in order, under one key", async () => {
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
    { numRuns: 150 },
  );
});

test("pushing while the disk is read keeps the order", async () => {
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
