import type { Sink } from "../../capture/delivery/sinks/sink.js";

/** A sink that keeps records in memory. */
export function createMemorySink(): Sink & { readonly records: Record<string, unknown>[] } {
  const records: Record<string, unknown>[] = [];
  return {
    records,
    async write(given) {
      for (const record of given) records.push({ ...record });
    },
    async close() {},
  };
}
