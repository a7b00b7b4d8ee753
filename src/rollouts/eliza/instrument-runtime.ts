import { describeThrown } from "../capture/errors.js";
import { readField } from "../capture/snapshot.js";
import { asyncScope, findBranch } from "./async-scope.js";
import type { Capture } from "./capture.js";
import { instrumentAction, readAction } from "./instrument-action.js";
import { instrumentMessageService } from "./instrument-message-service.js";
import { STREAM } from "./invoke.js";
import { findComposedState, readModelContext } from "./model-context.js";
import {
  createProxy,
  type Handler,
  isHandler,
  isInstrumentedMethod,
  isThenable,
  replaceMethod,
  watchProperty,
} from "./patch.js";

/** Position of the options among the arguments of `processActions`. */
const PROCESS_OPTIONS = 4;
/** How long the stop of a runtime waits for its records, in milliseconds. */
const FLUSH_TIMEOUT_MS = 15_000;

/** The captures of runtimes; weak, so that runtimes can be collected. */
const captures = new WeakMap<object, Capture>();

function captureOf(runtime: unknown): Capture | undefined {
  return typeof runtime === "object" && runtime !== null ? captures.get(runtime) : undefined;
}

/** Whether a runtime is captured already, by any copy of this package. */
export function isInstrumented(runtime: object): boolean {
  return captures.has(runtime) || isInstrumentedMethod(readField(runtime, "registerAction"));
}

/**
 * Instruments a runtime in five places: the actions that it has, those that it registers, those that it has when
 * it is about to run some, the plain replies of its message service, and what it asks models for an answer. In
 * addition, stopping it waits for `flush`, with a timeout. Everything is done synchronously. Never throws; a part that the runtime does not
 * allow to be replaced stays as it is, with a warning.
 */
export function instrumentRuntime(
  runtime: object,
  capture: Capture,
  flush: () => Promise<void>,
): void {
  captures.set(runtime, capture);
  const { instrument, sweep } = createSweeper(runtime, capture);
  /** Runs a job that must not break the agent. */
  const attempt = (what: string, job: () => boolean | undefined): void => {
    let reason = "";
    try {
      if (job() !== false) return;
    } catch (error) {
      reason = `: ${describeThrown(error).message}`;
    }
    capture.logger.warn(`${what} of the runtime cannot be watched${reason}`);
  };
  const sweepSafely = (): void => attempt("actions", sweep);

  attempt("registerAction", () =>
    replaceMethod(runtime, "registerAction", (original) => wrapRegister(original, instrument)),
  );
  attempt("processActions", () =>
    replaceMethod(runtime, "processActions", (original) =>
      wrapProcess(original, {
        prepare() {
          sweepSafely();
          capture.announceBranches();
        },
        mayBranch: capture.settings.branches > 1,
      }),
    ),
  );
  attempt("useModel", () => replaceMethod(runtime, "useModel", (own) => wrapModel(own, runtime)));
  attempt("evaluate", () => replaceMethod(runtime, "evaluate", wrapEvaluate));
  attempt("messageService", () =>
    watchProperty(runtime, "messageService", (service) =>
      instrumentMessageService(service, captureOf),
    ),
  );
  attempt("stop", () =>
    replaceMethod(runtime, "stop", (original) =>
      wrapStop(original, () => waitAtMost(flush(), FLUSH_TIMEOUT_MS)),
    ),
  );
  sweepSafely();
}

interface Sweeper {
  /** Returns the proxy of an action; returns anything else, and an instrumented action, as it is. */
  readonly instrument: (value: unknown) => unknown;
  /** Instruments the runtime's current actions. */
  readonly sweep: () => undefined;
}

function createSweeper(runtime: object, capture: Capture): Sweeper {
  const proxies = new WeakMap<object, object>();
  const instrument = (value: unknown): unknown => {
    const named = readAction(value);
    if (named === undefined || !capture.settings.isIncluded(named.name)) return value;
    const proxy = proxies.get(named.action) ?? instrumentAction(named, capture, captureOf);
    proxies.set(named.action, proxy);
    capture.noteAction(named.name);
    return proxy;
  };
  const sweep = (): undefined => {
    const actions = readField(runtime, "actions");
    if (!Array.isArray(actions)) return;
    for (const [index, action] of actions.entries()) {
      const instrumented = instrument(action);
      if (instrumented !== action) actions[index] = instrumented;
    }
  };
  return { instrument, sweep };
}

function wrapRegister(original: Handler, instrument: (action: unknown) => unknown): Handler {
  return function (...args) {
    if (args.length > 0) args[0] = instrument(args[0]);
    return Reflect.apply(original, this, args);
  };
}

function wrapProcess(
  original: Handler,
  { prepare, mayBranch }: { readonly prepare: () => void; readonly mayBranch: boolean },
): Handler {
  return function (...args) {
    prepare();
    const message = asyncScope.getStore()?.message;
    if (message !== undefined) message.hasActed = true;
    const options = args[PROCESS_OPTIONS];
    if (mayBranch && typeof options === "object" && options !== null) {
      args[PROCESS_OPTIONS] = withGate(options);
    }
    // These are runs of their own, even if an action requested them.
    const scope = { message, branch: findBranch() };
    return asyncScope.run(scope, () => Reflect.apply(original, this, args));
  };
}

/** Keeps branches from streaming to the user: the runtime itself passes the stream to models. */
function withGate(options: object): object {
  const stream = readField(options, STREAM);
  if (!isHandler(stream)) return options;
  const onStreamChunk: Handler = function (...given) {
    const deliver = (): unknown => Reflect.apply(stream, this, given);
    const branch = asyncScope.getStore()?.branch;
    return branch === undefined ? deliver() : branch.divert(deliver);
  };
  return createProxy(options, STREAM, onStreamChunk);
}

/** The models that answer, as opposed to those that embed or transcribe. */
const TEXT_MODEL = /^(?:TEXT_(?!EMBEDDING)|OBJECT_)/;

/** Takes a snapshot of what a model is given before it is asked for an answer, because it may throw. */
function wrapModel(original: Handler, runtime: object): Handler {
  return function (...args) {
    const scope = asyncScope.getStore();
    const message = scope?.message;
    const isAnswer = message?.runtime === runtime && !message.isAnswered && !scope?.action;
    if (isAnswer && typeof args[0] === "string" && TEXT_MODEL.test(args[0])) {
      message.context = readModelContext(runtime, findComposedState(runtime, message.message));
    }
    return Reflect.apply(original, this, args);
  };
}

/** Evaluators run when the message is answered, and ask models about other things. */
function wrapEvaluate(original: Handler): Handler {
  return function (...args) {
    const message = asyncScope.getStore()?.message;
    if (message !== undefined) message.isAnswered = true;
    return Reflect.apply(original, this, args);
  };
}

function wrapStop(original: Handler, flush: () => Promise<void>): Handler {
  return function (...args) {
    const stopped = Reflect.apply(original, this, args);
    if (!isThenable(stopped)) {
      void flush();
      return stopped;
    }
    return (async () => {
      try {
        return await stopped;
      } finally {
        await flush();
      }
    })();
  };
}

/** Waits for a promise, but at most `ms` milliseconds, without keeping the process alive. Rejects as it does. */
async function waitAtMost(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
