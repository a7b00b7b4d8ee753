import { type EpochMilliseconds, isEpochMilliseconds } from "#generated/index.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "../scoring/weights.js";

/** What the exporter is told beside the branches. */
export interface ExportOptions {
  /** Time of the export, written into Layer 2 provenance: milliseconds since the Unix epoch. */
  readonly exportedAtMs: EpochMilliseconds;
  /** Weights by which the branches were scored; they normalise the reward of Layer 3. */
  readonly weights: ScoreWeights;
  /** Seed of whatever a target draws at random, such as which answer comes first. Any integer. */
  readonly seed: number;
}

/**
 * Options with their defaults: now, the weights of the format, and seed 0. Throws RangeError when
 * `exportedAtMs` is no whole number from 0.
 */
export function resolveExportOptions(options: Partial<ExportOptions> = {}): ExportOptions {
  const { exportedAtMs = Date.now(), weights = DEFAULT_WEIGHTS, seed = 0 } = options;
  if (!isEpochMilliseconds(exportedAtMs)) {
    throw new RangeError(`exportedAtMs must be whole milliseconds from 0, is ${exportedAtMs}`);
  }
  return { exportedAtMs, weights, seed };
}
