/**
 * The elizaOS plugin: records action runs and plain replies of an agent. It needs nothing of
 * `@elizaos/core` at run time.
 */

export { UserError } from "../../user-error.js";
export type { DeliveryStats } from "../delivery/delivery-stats.js";
export type { Redact } from "../redact/redact.js";
export { redactSecrets } from "../redact/redact-secrets.js";
export type { ConsoleSinkOptions } from "../sinks/console.js";
export type { SinkOptions } from "../sinks/create-sink.js";
export type { FileSinkOptions } from "../sinks/file.js";
export type { HttpSinkOptions } from "../sinks/http.js";
export type { Sink } from "../sinks/sink.js";
export type { CaptureCounts, SkipReason } from "./capture-counts.js";
export {
  createRolloutPlugin,
  type RolloutPlugin,
  type RolloutPluginStats,
} from "./create-rollout-plugin.js";
export { lengthHeuristic } from "./length-heuristic.js";
export type { RecordFormat, RolloutPluginOptions, Scorer } from "./resolve-plugin-options.js";
