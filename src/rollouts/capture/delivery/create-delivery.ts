import { isJsonObject } from "../../../base/json/value.js";
import { type KnownOptions, requireKnownOptions, requireNumber } from "../../../base/options.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import type { Delivery, DeliveryOptions, DeliveryParts, DeliverySettings } from "./delivery.js";
import { QueuedDelivery } from "./queued-delivery.js";
import { isSink } from "./sinks/sink.js";

/** The names of the settings, for callers that pass them on. */
export const DELIVERY_SETTINGS: KnownOptions<DeliverySettings> = {
  spoolDir: true,
  queueSize: true,
  queueBytes: true,
  spoolMaxBytes: true,
  batchSize: true,
  batchBytes: true,
  retry: true,
  flushTimeoutMs: true,
};

const OPTIONS: KnownOptions<DeliveryOptions> = { sink: true, ...DELIVERY_SETTINGS, logger: true };

/** The minimum of each number. */
const LEAST = {
  queueSize: 1,
  queueBytes: 1,
  spoolMaxBytes: 0,
  batchSize: 1,
  batchBytes: 1,
  flushTimeoutMs: 0,
} as const;

/**
 * Creates a queue in front of a sink. It starts at once to send what earlier processes left in the spool,
 * but opens nothing before it returns. Throws UserError (exit 2) for options that cannot work.
 */
export function createDelivery(options: DeliveryOptions, parts: DeliveryParts = {}): Delivery {
  if (!isJsonObject(options)) {
    throw new UserError("createDelivery: the options must be an object: { sink, ... }", EXIT.usage);
  }
  requireKnownOptions("createDelivery:", options, OPTIONS);
  if (!isSink(options.sink)) {
    throw new UserError("sink: must be an object with write and close: see createSink", EXIT.usage);
  }
  const { spoolDir } = options;
  if (spoolDir === "" || (spoolDir && typeof spoolDir !== "string")) {
    throw new UserError("spoolDir: must be the path of a folder, or null for none", EXIT.usage);
  }
  for (const [option, least] of Object.entries(LEAST)) {
    const value: unknown = Reflect.get(options, option);
    if (value !== undefined) requireNumber(`${option}:`, value, least);
  }
  return new QueuedDelivery(options, parts);
}
