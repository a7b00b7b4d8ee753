import { describeThrown } from "../../capture/errors.js";
import { readField } from "../../capture/snapshot.js";
import { callScope, findBranch } from "../async-scope.js";
import type { Capture } from "../capture.js";
import { STREAM } from "../invoke.js";
import { instrumentAction, readAction } from "./action.js";
import { instrumentMessageService } from "./message-service.js";
import {
  createView,
  type Handler,
  isHandler,
  isMarked,
  isThenable,
  replaceMethod,
  watchProperty,
} from "./patch.js";

/** Position of the options among the arguments of `processActions`. */
const PROCESS_OPTIONS = 4;
/** Longest time that the stop of a runtime waits for its records, in milliseconds. */
const FLUSH_TIMEOUT_MS = 15_000;

/** Runtimes that are captured; one that is gone is forgotten. */
const captures = new WeakMap<object, Capture>();

function captureOf(runtime: unknown): Capture | undefined {
  return typeof runtime === "object" && runtime !== null ? captures.get(runtime) : undefined;
}

/** Whether a runtime is captured already, by whichever copy of this package. */
export function isInstrumented(runtime: object): boolean {
  return captures.has(runtime) || isMarked(readField(runtime, "registerAction"));
}

/**
 * Records what a runtime does, in four places: the actions that it has, those that it registers, those that
 * it has when it is about to run some, and the plain replies of its message service. Beside them, stopping
 * it waits for `flush`, for a while. All is done when this returns; it throws nothing, and what the runtime
 * does not let us watch is left as it is, with a warning.
 */
export function instrumentRuntime(
  runtime: object,
  capture: Capture,
  flush: () => Promise<void>,
): void {
  captures.set(runtime, capture);
  const { instrument, sweep } = createSweeper(runtime, capture);
  /** Does what must not break the agent. */
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
    replaceMethod(runtime, "registerAction", (original) => toRegister(original, instrument)),
  );
  attempt("processActions", () =>
    replaceMethod(runtime, "processActions", (original) =>
      toProcess(original, {
        prepare() {
          sweepSafely();
          capture.announceBranches();
        },
        mayBranch: capture.settings.branches > 1,
      }),
    ),
  );
  attempt("messageService", () =>
    watchProperty(runtime, "messageService", (service) =>
      instrumentMessageService(service, captureOf),
    ),
  );
  attempt("stop", () =>
    replaceMethod(runtime, "stop", (original) =>
      toStop(original, () => waitAtMost(flush(), FLUSH_TIMEOUT_MS)),
    ),
  );
  sweepSafely();
}

interface Sweeper {
  /** What stands for an action; anything else, and what is instrumented already, is given back. */
  readonly instrument: (value: unknown) => unknown;
  /** Instruments what is among the runtime's actions. */
  readonly sweep: () => undefined;
}

function createSweeper(runtime: object, capture: Capture): Sweeper {
  const views = new WeakMap<object, object>();
  const instrument = (value: unknown): unknown => {
    const named = readAction(value);
    if (named === undefined || !capture.settings.isIncluded(named.name)) return value;
    const view = views.get(named.action) ?? instrumentAction(named, capture, captureOf);
    views.set(named.action, view);
    capture.noteAction(named.name);
    return view;
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

function toRegister(original: Handler, instrument: (action: unknown) => unknown): Handler {
  return function (...args) {
    if (args.length > 0) args[0] = instrument(args[0]);
    return Reflect.apply(original, this, args);
  };
}

function toProcess(
  original: Handler,
  { prepare, mayBranch }: { readonly prepare: () => void; readonly mayBranch: boolean },
): Handler {
  return function (...args) {
    prepare();
    const message = callScope.getStore()?.message;
    if (message !== undefined) message.hasActed = true;
    const options = args[PROCESS_OPTIONS];
    if (mayBranch && typeof options === "object" && options !== null) {
      args[PROCESS_OPTIONS] = withGate(options);
    }
    // What is processed here are runs of their own, also when an action asks for them.
    const scope = { message, branch: findBranch() };
    return callScope.run(scope, () => Reflect.apply(original, this, args));
  };
}

/** Lets no branch stream to the user: the runtime hands the stream to models on its own. */
function withGate(options: object): object {
  const stream = readField(options, STREAM);
  if (!isHandler(stream)) return options;
  const onStreamChunk: Handler = function (...given) {
    const deliver = (): unknown => Reflect.apply(stream, this, given);
    const branch = callScope.getStore()?.branch;
    return branch === undefined ? deliver() : branch.divert(deliver);
  };
  return createView(options, STREAM, onStreamChunk);
}

function toStop(original: Handler, flush: () => Promise<void>): Handler {
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

/** Waits for a promise, `ms` milliseconds at the most; the wait alone keeps no process alive. Rejects as it does. */
export async function waitAtMost(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
