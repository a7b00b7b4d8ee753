/**
 * The elizaOS plugin: records action runs and plain replies of an agent. At run time it does not import
 * `@elizaos/core`.
 */

export {
  lengthHeuristic,
  type RecordFormat,
  type RolloutPluginOptions,
  type Scorer,
} from "./options.js";
export type { CaptureCounts, SkipReason } from "./outcome.js";
export { createRolloutPlugin, type RolloutPlugin, type RolloutPluginStats } from "./plugin.js";
