/** Sends records to a sink, and keeps them on disk until they have arrived: `rollout-wire/delivery`. */

export { createDelivery } from "./create-delivery.js";
export type { CaptureLogger, Delivery, DeliveryOptions, DeliveryStats } from "./delivery.js";
export type { ConsoleSinkOptions } from "./sinks/console.js";
export { createSink, type SinkOptions } from "./sinks/create-sink.js";
export type { FileSinkOptions } from "./sinks/file.js";
export type { HttpSinkOptions } from "./sinks/http.js";
export type { RetryPolicy } from "./sinks/http-request.js";
export { type Batch, type Sink, SinkError, type SinkErrorKind } from "./sinks/sink.js";
