import type { Batch, Sink } from "../../rollouts/capture/delivery/sinks/sink.js";

/** A sink that keeps what it is given, and does with it what a test says. */
export class NumberedSink implements Sink {
  readonly id = "test";
  readonly name = "the test";
  readonly batches: Batch[] = [];
  /** The `number` of each record that it took over. */
  readonly arrived: number[] = [];
  /** What a write does first; one that throws is a write that failed. */
  attempt: (batch: Batch) => unknown = () => {};
  isClosed = false;

  async write(): Promise<void> {
    throw new Error("a delivery has the lines");
  }

  async writeBatch(batch: Batch): Promise<void> {
    this.batches.push({ ...batch, lines: [...batch.lines] });
    await this.attempt(batch);
    for (const line of batch.lines) this.arrived.push(JSON.parse(line).number);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** 0, 1, ... up to `count`, without it. */
export function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
