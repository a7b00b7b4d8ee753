import { randomUUID } from "node:crypto";
import {
  isMessage,
  isModelContext,
  isRolloutId,
  isTask,
  isToolDefinition,
  type ModelContext,
} from "#generated/index.js";
import { isJsonObject } from "../../base/json/value.js";
import { type KnownOptions, MAX_TIMER_MS, requireKnownOptions } from "../../base/options.js";
import { previewGiven } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { MESSAGE_SHAPE, PART_SHARE } from "./answer.js";
import type { BranchPlan, ForkAgent } from "./branch.js";
import { createSnapshotRoom, isFull, toSnapshot } from "./snapshot.js";

/** What `forkRollout` runs, how often, and within which limits. */
export interface ForkOptions {
  /** Not empty. Lone surrogates become U+FFFD, both in the record and for the agent. */
  readonly task: string;
  /**
   * What the model is given before the task in every branch: messages such as the system prompt, and tools. A
   * snapshot is recorded, and every agent gets its own copy. Default: not recorded.
   */
  readonly context?: ModelContext | undefined;
  /** Called once per branch. */
  readonly agent: ForkAgent;
  /** From 1. Default: the number of temperatures or seeds, or else 4. */
  readonly branches?: number | undefined;
  /** How many branches run at the same time, from 1. Default 4. */
  readonly concurrency?: number | undefined;
  /** From 0; one for all branches or one for each. Default 1. */
  readonly temperatures?: readonly number[] | undefined;
  /** Safe integers, or null for no seed; one for all branches or one for each. */
  readonly seeds?: readonly (number | null)[] | undefined;
  /** Aborts the run; every branch still has its record. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each branch, from its start. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Not empty. Default: `rollout-` and a UUID. */
  readonly rolloutId?: string | undefined;
  /** The session of branch n is `<prefix>-b<n>`. Default: the rollout's id. */
  readonly sessionIdPrefix?: string | undefined;
}

/** Default number of branches, and of branches that run at the same time. */
const DEFAULT_COUNT = 4;

/** The default of providers, so that the record is right for an agent that ignores the temperature. */
const DEFAULT_TEMPERATURE = 1;

const OPTIONS: KnownOptions<ForkOptions> = {
  task: true,
  context: true,
  agent: true,
  branches: true,
  concurrency: true,
  temperatures: true,
  seeds: true,
  signal: true,
  timeoutMs: true,
  rolloutId: true,
  sessionIdPrefix: true,
};

/** The options, checked and complete. */
export interface ForkPlan {
  readonly agent: ForkAgent;
  readonly branches: number;
  readonly concurrency: number;
  /** Per branch; undefined for no timeout. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly toBranch: (branchIndex: number) => BranchPlan;
}

/** Checks the options and fills in defaults. Throws UserError, which names the option, for a wrong one. */
export function resolveForkOptions(options: ForkOptions): ForkPlan {
  const given: unknown = options;
  if (!isJsonObject(given)) throw wrong("options", "an object", given);
  requireKnownOptions("forkRollout:", given, OPTIONS);
  const { task, agent, signal } = options;
  if (!isTask(task)) throw wrong("task", "text that is not empty", task);
  if (typeof agent !== "function") throw wrong("agent", "a function", agent);
  if (signal !== undefined && !isSignal(signal)) throw wrong("signal", "an AbortSignal", signal);

  const context = readContext(options.context);
  const temperatures = readList(options.temperatures, "temperatures", TEMPERATURE, [
    DEFAULT_TEMPERATURE,
  ]);
  const seeds = readList(options.seeds, "seeds", SEED, undefined);
  const longest = Math.max(temperatures.length, seeds?.length ?? 0);
  const branches = options.branches ?? (longest > 1 ? longest : DEFAULT_COUNT);
  requireCount("branches", branches);
  requireOneOrEach("temperatures", temperatures, branches);
  if (seeds !== undefined) requireOneOrEach("seeds", seeds, branches);

  const concurrency = options.concurrency ?? DEFAULT_COUNT;
  requireCount("concurrency", concurrency);
  const rolloutId = options.rolloutId ?? `rollout-${randomUUID()}`;
  if (!isRolloutId(rolloutId)) throw wrong("rolloutId", "text that is not empty", rolloutId);
  const sessionIdPrefix = options.sessionIdPrefix ?? rolloutId;
  for (const [name, id] of Object.entries({ rolloutId, sessionIdPrefix })) {
    // Replacing surrogates could make two ids equal.
    const isFit = typeof id === "string" && id.isWellFormed();
    if (!isFit) throw wrong(name, "text without lone surrogates", id);
  }
  const wellFormedTask = task.toWellFormed();
  return {
    agent,
    branches,
    concurrency,
    timeoutMs: readTimeout(options.timeoutMs),
    signal,
    toBranch: (branchIndex) => ({
      rolloutId,
      task: wellFormedTask,
      // Records of one rollout do not share it: their readers may change them.
      context: structuredClone(context),
      branchIndex,
      temperature: pick(temperatures, branchIndex) ?? DEFAULT_TEMPERATURE,
      seed: seeds && (pick(seeds, branchIndex) ?? null),
      sessionId: `${sessionIdPrefix}-b${branchIndex}`,
    }),
  };
}

interface ElementKind {
  readonly expected: string;
  readonly isFit: (value: unknown) => boolean;
}

/** Readers of JSON round larger integers (rule `safe-integer`). */
const TEMPERATURE: ElementKind = {
  expected: `a number from 0 to ${Number.MAX_SAFE_INTEGER}`,
  isFit: (value) => typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
};

const SEED: ElementKind = {
  expected: "a safe integer or null",
  isFit: (value) => value === null || Number.isSafeInteger(value),
};

/** The element for a branch: the only one, or the branch's own. */
function pick<Value>(list: readonly Value[], index: number): Value | undefined {
  return list.length === 1 ? list[0] : list[index];
}

function readList<Value, Default>(
  list: readonly Value[] | undefined,
  name: string,
  element: ElementKind,
  byDefault: Default,
): readonly Value[] | Default {
  if (list === undefined) return byDefault;
  if (!Array.isArray(list)) throw wrong(name, "a list", list);
  // A copy: the caller may change the list while the branches run.
  const copy: Value[] = Array.from(list);
  for (const [index, value] of copy.entries()) {
    if (!element.isFit(value)) throw wrong(`${name}[${index}]`, element.expected, value);
  }
  return copy;
}

function readContext(given: unknown): ModelContext | undefined {
  if (given === undefined) return undefined;
  const room = createSnapshotRoom(PART_SHARE);
  const context: unknown = toSnapshot(given, room);
  if (!isJsonObject(context)) throw wrong("context", "an object with messages and tools", given);
  const { characters } = createSnapshotRoom(PART_SHARE);
  if (isFull(room)) throw wrong("context", `at most ${characters} characters long`, given);
  requireElements("context.messages", context.messages, {
    expected: MESSAGE_SHAPE,
    isFit: isMessage,
  });
  requireElements("context.tools", context.tools, TOOL);
  if (isModelContext(context)) return context;
  throw wrong("context", "an object with messages and tools", given);
}

const TOOL: ElementKind = {
  expected: 'a tool such as {type: "function", function: {name, description, parameters}}',
  isFit: isToolDefinition,
};

function requireElements(name: string, list: unknown, element: ElementKind): void {
  if (list === undefined) return;
  if (!Array.isArray(list)) throw wrong(name, "a list", list);
  const index = list.findIndex((each: unknown) => !element.isFit(each));
  if (index !== -1) throw wrong(`${name}[${index}]`, element.expected, list[index]);
}

function requireCount(name: string, value: unknown): void {
  const isCount = Number.isSafeInteger(value) && Number(value) >= 1;
  if (!isCount) throw wrong(name, "a whole number from 1", value);
}

function requireOneOrEach(name: string, list: readonly unknown[], branches: number): void {
  if (list.length === 1 || list.length === branches) return;
  const expected =
    branches === 1 ? "one" : `one for all or one for each of the ${branches} branches`;
  throw new UserError(`${PREFIX}${name} must hold ${expected}, holds ${list.length}`, EXIT.usage);
}

function readTimeout(value: unknown): number | undefined {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return undefined;
  if (typeof value === "number" && value > 0 && value <= MAX_TIMER_MS) return value;
  throw wrong("timeoutMs", `milliseconds above 0, at most ${MAX_TIMER_MS}, or Infinity`, value);
}

/** By its shape: each realm has its own AbortSignal class, and so have some libraries. */
function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === "object" &&
    value !== null &&
    "aborted" in value &&
    typeof value.aborted === "boolean" &&
    "addEventListener" in value &&
    typeof value.addEventListener === "function" &&
    "removeEventListener" in value &&
    typeof value.removeEventListener === "function"
  );
}

const PREFIX = "forkRollout: ";

function wrong(name: string, expected: string, value: unknown): UserError {
  return new UserError(
    `${PREFIX}${name} must be ${expected}, is ${previewGiven(value)}`,
    EXIT.usage,
  );
}
