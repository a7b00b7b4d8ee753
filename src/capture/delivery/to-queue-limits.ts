import type { DeliveryOptions } from "./delivery.js";
import type { QueueLimits } from "./record-queue.js";

/** Bytes of a segment: what is read back at once. */
const SEGMENT_BYTES = 4 * 2 ** 20;

/** The options that bound how many records wait, with their defaults. */
export function toQueueLimits(options: DeliveryOptions): QueueLimits {
  const { queueSize = 1_000, queueBytes = 32 * 2 ** 20, spoolMaxBytes = 2 ** 30 } = options;
  const { batchSize = 100, batchBytes = 2 ** 20 } = options;
  return {
    queueSize,
    queueBytes,
    spoolMaxBytes,
    batchSize: Math.min(batchSize, queueSize),
    batchBytes,
    segmentSize: queueSize,
    segmentBytes: Math.min(SEGMENT_BYTES, queueBytes, Math.ceil(spoolMaxBytes / 4)),
  };
}
