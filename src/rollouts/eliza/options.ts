import { isJsonObject } from "../../base/json/value.js";
import {
  type KnownOptions,
  MAX_TIMER_MS,
  requireKnownOptions,
  requireNumber,
} from "../../base/options.js";
import { previewValue } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { DELIVERY_SETTINGS } from "../capture/delivery/create-delivery.js";
import type { DeliverySettings } from "../capture/delivery/delivery.js";
import { createSink, type SinkOptions } from "../capture/delivery/sinks/create-sink.js";
import type { Sink } from "../capture/delivery/sinks/sink.js";
import type { Redact, RedactInTurns } from "../capture/redact/redact.js";
import { redactSecrets, redactSecretsInTurns } from "../capture/redact/redact-secrets.js";

const RECORD_FORMATS = ["branches", "ppo", "dpo", "both"] as const;

/** The type of record that the plugin writes. */
export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** Returns the score of an answer to a task, from 0 to 1, or a promise of it. */
export type Scorer = (answer: string, task: string) => number | Promise<number>;

type RedactOption = Redact | typeof redactSecrets | boolean;

/** What the plugin records, and where it sends it. */
export interface RolloutPluginOptions extends DeliverySettings {
  /** Where the records go. Default `{ type: "file", dir: "./rollouts" }`. */
  readonly sink?: SinkOptions | Sink;
  /**
   * Which records are written: `branches` (default): Layer 1, for `rollout-wire rank` and `export`; `ppo`, which
   * needs a scorer; `dpo`, which needs several branches; or `both`, which needs both.
   */
  readonly format?: RecordFormat;
  /** How often each action runs, including its side effects. Default 1. */
  readonly branches?: number;
  /**
   * How long the other branches of a call may take once one of them has ended, in milliseconds. Default 60,000. A branch
   * that takes longer counts as failed.
   */
  readonly branchTimeoutMs?: number;
  /** Scores each answer. Default: none, and then there is no reward. */
  readonly scorer?: Scorer | null;
  /** Names of the actions to record; an empty list (default) means all. `REPLY` means plain replies. */
  readonly includeActions?: readonly string[];
  /** Actions that may run several times, by name or predicate. Default: all. */
  readonly branchable?: readonly string[] | ((action: string) => boolean);
  /**
   * Redacts every record before it reaches a sink. `true` (default): `redactSecrets` with the runtime's own
   * secret settings; `false`: no redaction.
   */
  readonly redact?: RedactOption;
}

/** The options with their defaults, checked. */
export interface RolloutPluginSettings {
  readonly sink: Sink;
  readonly format: RecordFormat;
  readonly branches: number;
  readonly branchTimeoutMs: number;
  readonly scorer: Scorer | null;
  /** Whether an action is recorded. */
  readonly isIncluded: (action: string) => boolean;
  /** Whether an action may run several times. */
  readonly isBranchable: (action: string) => boolean;
  /** The redaction for a runtime with these secrets. */
  readonly createRedact: (secrets: () => Iterable<string>) => RedactInTurns;
  readonly delivery: DeliverySettings;
}

const OPTIONS: KnownOptions<RolloutPluginOptions> = {
  sink: true,
  format: true,
  branches: true,
  branchTimeoutMs: true,
  scorer: true,
  includeActions: true,
  branchable: true,
  redact: true,
  ...DELIVERY_SETTINGS,
};

/** Checks the options and fills in defaults. Throws UserError (exit 2), which names the wrong option. */
export function resolvePluginOptions(options: RolloutPluginOptions = {}): RolloutPluginSettings {
  requireThat(isJsonObject(options), "options", "an object", options);
  requireKnownOptions("createRolloutPlugin:", options, OPTIONS);
  const {
    sink = { type: "file", dir: "./rollouts" },
    format = "branches",
    branches = 1,
    branchTimeoutMs = 60_000,
    scorer = null,
    includeActions = [],
    branchable,
    redact = true,
    ...delivery
  } = options;
  requireThat(RECORD_FORMATS.includes(format), "format", RECORD_FORMATS.join(" or "), format);
  const isCount = Number.isSafeInteger(branches) && branches >= 1;
  requireThat(isCount, "branches", "a whole number from 1", branches);
  requireNumber("createRolloutPlugin: branchTimeoutMs", branchTimeoutMs, 0);
  if ((format === "dpo" || format === "both") && branches < 2) {
    throw fault(
      `format "${format}" needs branches of 2 or more, to have pairs, and branches is ${branches}: ` +
        'give branches: 2, or format "branches"',
    );
  }
  requireThat(
    scorer === null || typeof scorer === "function",
    "scorer",
    "a function of answer and task, or null",
    scorer,
  );
  if (scorer === null && (format === "ppo" || format === "both")) {
    throw fault(
      `format "${format}" needs a scorer, to have rewards: give scorer (lengthHeuristic is a placeholder), ` +
        'or format "branches"',
    );
  }
  requireThat(isNames(includeActions), "includeActions", "a list of names", includeActions);
  requireThat(
    branchable === undefined || typeof branchable === "function" || isNames(branchable),
    "branchable",
    "a list of names, or a function of a name",
    branchable,
  );
  requireThat(
    typeof redact === "boolean" || typeof redact === "function",
    "redact",
    "a function of a record, true or false",
    redact,
  );
  return {
    sink: createSink(sink),
    format,
    branches,
    branchTimeoutMs: Math.min(branchTimeoutMs, MAX_TIMER_MS),
    scorer,
    isIncluded: includeActions.length === 0 ? () => true : namesOf(includeActions),
    isBranchable: typeof branchable === "function" ? branchable : namesOf(branchable),
    createRedact: (secrets) => toRedact(redact, secrets),
    delivery,
  };
}

function toRedact(redact: RedactOption, values: () => Iterable<string>): RedactInTurns {
  if (isBuiltIn(redact)) return redactSecretsInTurns({ values });
  if (redact === false) return inOneTurn((record) => record);
  return inOneTurn((record) => {
    const redacted = redact(record);
    // Types forbid it, but JavaScript does not; and it might never resolve.
    if (redacted instanceof Promise) throw new TypeError("it gave a promise instead of a record");
    return redacted;
  });
}

function inOneTurn(redact: Redact): RedactInTurns {
  // biome-ignore lint/correctness/useYield: a walk with a single step.
  return function* (record) {
    return redact(record);
  };
}

/** The built-in function itself means the same as true: with the runtime's secrets. */
function isBuiltIn(redact: RedactOption): redact is true | typeof redactSecrets {
  return redact === true || redact === redactSecrets;
}

/** Whether a name is among `names`, compared as the runtime does. */
function namesOf(names: readonly string[] | undefined): (action: string) => boolean {
  if (names === undefined) return () => true;
  const known = new Set(names.map(toComparable));
  return (action) => known.has(toComparable(action));
}

/** The runtime ignores case and underscores in the action names of models. */
function toComparable(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function requireThat(holds: boolean, option: string, expected: string, value: unknown): void {
  if (!holds) throw fault(`${option} must be ${expected}, is ${previewValue(value)}`);
}

function fault(message: string): UserError {
  return new UserError(`createRolloutPlugin: ${message}`, EXIT.usage);
}

/**
 * Scores an answer by its length only: n / (n + 1) for n characters (Unicode code points), so `four` scores 0.8.
 * From 0 to below 1; longer is always better. It says nothing about quality: a placeholder for a real scorer.
 */
export function lengthHeuristic(answer: string): number {
  const characters = Array.from(answer).length;
  return characters / (characters + 1);
}
