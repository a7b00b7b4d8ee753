import {
  createRolloutPlugin,
  type RolloutPlugin,
  type RolloutPluginOptions,
} from "../../../../src/rollouts/eliza/index.js";

export interface CapturedPlugin {
  readonly plugin: RolloutPlugin;
  /** The records in the sink, once all have arrived. */
  readonly read: () => Promise<Record<string, unknown>[]>;
}

/** A plugin whose records stay in memory. */
export function createCaptured(options: RolloutPluginOptions = {}): CapturedPlugin {
  const records: Record<string, unknown>[] = [];
  const sink = {
    async write(given: readonly object[]) {
      for (const record of given) records.push({ ...record });
    },
    async close() {},
  };
  const plugin = createRolloutPlugin({ sink, spoolDir: null, ...options });
  return {
    plugin,
    async read() {
      await plugin.flush();
      return records;
    },
  };
}
