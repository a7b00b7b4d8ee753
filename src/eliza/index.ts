/**
 * The elizaOS plugin: records action runs and plain replies of an agent. At run time it does not import
 * `@elizaos/core`.
 */

export type { DeliveryStats } from "../delivery/delivery.js";
export type { ConsoleSinkOptions } from "../delivery/sinks/console.js";
export type { SinkOptions } from "../delivery/sinks/create-sink.js";
export type { FileSinkOptions } from "../delivery/sinks/file.js";
export type { HttpSinkOptions } from "../delivery/sinks/http.js";
export type { RetryPolicy } from "../delivery/sinks/http-request.js";
export type { Batch, Sink } from "../delivery/sinks/sink.js";
export type { Redact, RedactOptions } from "../redact/redact.js";
export { redactSecrets } from "../redact/redact-secrets.js";
export { UserError } from "../user-error.js";
export type { RecordFormat, RolloutPluginOptions, Scorer } from "./options.js";
export { lengthHeuristic } from "./options.js";
export type { CaptureCounts, SkipReason } from "./outcome.js";
export {
  createRolloutPlugin,
  type RolloutPlugin,
  type RolloutPluginStats,
} from "./plugin.js";
