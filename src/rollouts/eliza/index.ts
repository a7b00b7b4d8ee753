/**
 * The elizaOS plugin: records action runs and plain replies of an agent. At run time it does not import
 * `@elizaos/core`.
 */

export { UserError } from "../../base/user-error.js";
export type { DeliveryStats } from "../capture/delivery/delivery.js";
export type { ConsoleSinkOptions } from "../capture/delivery/sinks/console.js";
export type { SinkOptions } from "../capture/delivery/sinks/create-sink.js";
export type { FileSinkOptions } from "../capture/delivery/sinks/file.js";
export type { HttpSinkOptions } from "../capture/delivery/sinks/http.js";
export type { RetryPolicy } from "../capture/delivery/sinks/http-request.js";
export type { Batch, Sink } from "../capture/delivery/sinks/sink.js";
export type { Redact, RedactOptions } from "../capture/redact/redact.js";
export { redactSecrets } from "../capture/redact/redact-secrets.js";
export type { RecordFormat, RolloutPluginOptions, Scorer } from "./options.js";
export { lengthHeuristic } from "./options.js";
export type { CaptureCounts, SkipReason } from "./outcome.js";
export {
  createRolloutPlugin,
  type RolloutPlugin,
  type RolloutPluginStats,
} from "./plugin.js";
