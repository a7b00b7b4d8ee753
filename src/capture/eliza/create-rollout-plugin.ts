import { createDelivery } from "../delivery/create-delivery.js";
import type { Delivery } from "../delivery/delivery.js";
import type { DeliveryStats } from "../delivery/delivery-stats.js";
import { describeThrown } from "../describe-thrown.js";
import { readField } from "../read-field.js";
import { type CaptureCounts, createCaptureCounter } from "./capture-counts.js";
import { type Capture, createCapture } from "./create-capture.js";
import { createRolloutIds } from "./create-rollout-ids.js";
import { createRuntimeLogger } from "./create-runtime-logger.js";
import { findRuntime } from "./find-runtime.js";
import { findSecretSettings } from "./find-secret-settings.js";
import { instrumentRuntime, isInstrumented } from "./instrument-runtime.js";
import { isThenable } from "./is-thenable.js";
import { type RolloutPluginOptions, resolvePluginOptions } from "./resolve-plugin-options.js";

/** What was recorded and what was not, and, once a runtime is watched, what became of the records. */
export interface RolloutPluginStats extends CaptureCounts {
  readonly delivery: DeliveryStats | undefined;
}

/** A plugin as elizaOS takes it; assignable to the `Plugin` of `@elizaos/core`. */
export interface RolloutPlugin {
  readonly name: string;
  readonly description: string;
  /** Begins to record a runtime: `init(config, runtime)` or `init({ runtime })`. Never rejects. */
  init(config: unknown, runtime?: unknown): Promise<void>;
  stats(): RolloutPluginStats;
  /** Resolves when all that was recorded so far has arrived, or is safe on disk. Never rejects. */
  flush(): Promise<void>;
  /** As `flush`; then nothing is delivered any more. For programs that go on without their agents. */
  close(): Promise<void>;
}

/** Of all plugins: two runtimes may run an agent of one id. */
const createRolloutId = createRolloutIds();

/**
 * An elizaOS plugin that records the runs of actions, and plain replies, as training records. One plugin
 * may watch several runtimes. Throws UserError (exit 2) for options that cannot work; from then on nothing
 * of it throws into the agent.
 */
export function createRolloutPlugin(options: RolloutPluginOptions = {}): RolloutPlugin {
  const settings = resolvePluginOptions(options);
  const counter = createCaptureCounter();
  const captures = new Set<WeakRef<Capture>>();
  let delivery: Delivery | undefined;

  const flush = async (): Promise<void> => {
    await Promise.all([...captures].map((capture) => capture.deref()?.settled()));
    await delivery?.flush();
  };
  const watch = (runtime: object): void => {
    const logger = createRuntimeLogger(runtime);
    if (isInstrumented(runtime)) {
      logger.warn("this runtime is recorded already: it is not recorded twice");
      return;
    }
    delivery ??= createDelivery({ ...settings.delivery, sink: settings.sink, logger });
    const redact = settings.createRedact(() => findSecretSettings(runtime));
    const push = (record: object): void => delivery?.push(record);
    const parts = { runtime, settings, redact, logger, counter, createRolloutId, push };
    const capture = createCapture(parts);
    captures.add(new WeakRef(capture));
    instrumentRuntime(runtime, capture, flush);
    announceOnceStarted(runtime, capture);
  };
  return {
    name: "rollout-wire",
    description: "Records action runs and replies as rollout-wire/v1 training records.",
    // No await before the runtime is watched: other plugins register their actions at the same time.
    async init(config, given) {
      const runtime = findRuntime(config, given);
      if (runtime === undefined) {
        process.emitWarning("rollout-wire: init was called without a runtime: nothing is recorded");
        return;
      }
      try {
        watch(runtime);
      } catch (error) {
        const what = `nothing is recorded: ${describeThrown(error).message}`;
        createRuntimeLogger(runtime).error(what);
      }
    },
    stats: () => ({ ...counter.counts(), delivery: delivery?.stats() }),
    flush,
    async close() {
      await flush();
      await delivery?.close();
    },
  };
}

/** When all plugins have registered their actions: the names of these belong in one line. */
function announceOnceStarted(runtime: object, capture: Capture): void {
  const started = readField(runtime, "initPromise");
  if (isThenable(started)) started.then(capture.announceBranches, () => {});
}
