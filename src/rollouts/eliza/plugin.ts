import { escapeControls } from "../../base/text.js";
import { createDelivery } from "../capture/delivery/create-delivery.js";
import type { CaptureLogger, Delivery, DeliveryStats } from "../capture/delivery/delivery.js";
import { describeThrown } from "../capture/errors.js";
import { readField } from "../capture/snapshot.js";
import { type Capture, createCapture } from "./capture.js";
import { instrumentRuntime, isInstrumented } from "./instrument-runtime.js";
import { type RolloutPluginOptions, resolvePluginOptions } from "./options.js";
import { type CaptureCounts, createCaptureCounter } from "./outcome.js";
import { isHandler, isThenable } from "./patch.js";
import { findSecretSettings } from "./secrets.js";

/** What was recorded and what was skipped, and, once a runtime is recorded, the state of the delivery. */
export interface RolloutPluginStats extends CaptureCounts {
  readonly delivery: DeliveryStats | undefined;
}

/** An elizaOS plugin, assignable to the `Plugin` of `@elizaos/core`. */
export interface RolloutPlugin {
  readonly name: string;
  readonly description: string;
  /** Starts recording a runtime: `init(config, runtime)` or `init({ runtime })`. Never rejects. */
  init(config: unknown, runtime?: unknown): Promise<void>;
  stats(): RolloutPluginStats;
  /** Resolves once everything recorded so far has arrived, or is safe on disk. Never rejects. */
  flush(): Promise<void>;
  /** As `flush`; after that, nothing is delivered. For programs that outlive their agents. */
  close(): Promise<void>;
}

/** Shared by all plugins of the process: two runtimes may have an agent with the same id. */
const createRolloutId = createRolloutIds();

/**
 * Creates an elizaOS plugin that records the runs of actions, and plain replies, as training records. One plugin
 * may record several runtimes. Throws UserError (exit 2) for options that cannot work; after that, it never
 * throws into the agent.
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
    const logger = withName(createRuntimeLogger(runtime));
    if (isInstrumented(runtime)) {
      logger.warn("this runtime is already recorded; it is not recorded twice");
      return;
    }
    // Its messages name the package already.
    const plain = createRuntimeLogger(runtime);
    delivery ??= createDelivery({ ...settings.delivery, sink: settings.sink, logger: plain });
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
    // No await before `watch`: other plugins register their actions at the same time.
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
        withName(createRuntimeLogger(runtime)).error(what);
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

/** Waits until all plugins have registered their actions, so that one line names them all. */
function announceOnceStarted(runtime: object, capture: Capture): void {
  const started = readField(runtime, "initPromise");
  if (isThenable(started)) started.then(capture.announceBranches, () => {});
}

/**
 * The runtime that `init` was called with: its second argument (as elizaOS does), the field `runtime` of the
 * first, or the first itself. Undefined if there is none.
 */
function findRuntime(config: unknown, runtime: unknown): object | undefined {
  return [runtime, readField(config, "runtime"), config].find(isRuntime);
}

function isRuntime(value: unknown): value is object {
  const isList = Array.isArray(readField(value, "actions"));
  return isList || isHandler(readField(value, "registerAction"));
}

/**
 * Creates rollout ids such as `agent-123-1700000000000`: the agent and the start time in milliseconds. Rollouts
 * that start in the same millisecond get the next free number, so that ids are unique in a process.
 */
export function createRolloutIds(now: () => number = Date.now): (agentId: string) => string {
  const latest = new Map<string, number>();
  return (agentId) => {
    const time = Math.max(Math.trunc(now()), (latest.get(agentId) ?? 0) + 1);
    latest.set(agentId, time);
    return `${agentId}-${time}`;
  };
}

/** A logger whose messages say who logs them. */
function withName({ info, warn, error }: CaptureLogger): CaptureLogger {
  const named = (say: (message: string) => void) => (message: string) =>
    say(`rollout-wire: ${message}`);
  return { info: named(info), warn: named(warn), error: named(error) };
}

/** The logger of a runtime. If it is missing or throws, nothing is logged. */
function createRuntimeLogger(runtime: object): CaptureLogger {
  const say = (level: keyof CaptureLogger, message: string): void => {
    try {
      const logger = readField(runtime, "logger");
      const method = readField(logger, level);
      if (isHandler(method)) Reflect.apply(method, logger, [escapeControls(message)]);
    } catch {
      // A failing logger must not break the agent.
    }
  };
  return {
    info: (message) => say("info", message),
    warn: (message) => say("warn", message),
    error: (message) => say("error", message),
  };
}
