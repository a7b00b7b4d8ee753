import { previewValue } from "../text.js";
import { EXIT, UserError } from "../user-error.js";

const COMPARISONS = {
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  "=": (value, limit) => value === limit,
} as const satisfies Record<string, (value: number, limit: number) => boolean>;

type Operator = keyof typeof COMPARISONS;

/** A condition under which a branch passes. */
export interface Objective {
  /** Name of a reward or a metric. */
  readonly metric: string;
  /** The condition in its normal spelling: `reward>0`. */
  readonly text: string;
  /** `value` is finite. */
  passes(value: number): boolean;
}

/** A name, a comparison, and a decimal number. */
const OBJECTIVE =
  /^([^<>=]*[^<>=!\s])\s*(>=|<=|==|=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i;

/** Reads a condition such as `reward>0`. Throws UserError (exit 2) for anything else. */
export function parseObjective(given: string): Objective {
  const [, metric, operator, number] = OBJECTIVE.exec(given.trim()) ?? [];
  const limit = Number(number);
  if (metric === undefined || operator === undefined || !Number.isFinite(limit)) {
    throw new UserError(
      `--objective ${previewValue(given)}: write <metric><comparison><number>, such as "reward>0"; comparisons are ${Object.keys(COMPARISONS).join(" ")}`,
      EXIT.usage,
    );
  }
  const known = toOperator(operator);
  return {
    metric,
    text: `${metric}${known}${limit}`,
    passes: (value) => COMPARISONS[known](value, limit),
  };
}

function toOperator(text: string): Operator {
  if (text === ">" || text === ">=" || text === "<" || text === "<=") return text;
  return "=";
}

/** The lowest and the highest possible reward; finite, the first below the second. */
type ScoreRange = readonly [low: number, high: number];

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Reads a range such as `-1,1`. Throws UserError (exit 2) for anything else. */
export function parseScoreRange(given: string): ScoreRange {
  const parts = given.split(",").map((part) => part.trim());
  const [low = Number.NaN, high = Number.NaN] = parts.map(Number);
  const isRange = parts.length === 2 && parts.every((part) => NUMBER.test(part)) && low < high;
  // Between -1e308 and 1e308 the difference is infinite.
  if (isRange && Number.isFinite(high - low)) return [low, high];
  throw new UserError(
    `--score-range ${previewValue(given)}: write <lowest>,<highest>, such as -1,1`,
    EXIT.usage,
  );
}

/** How the unbounded rewards of a log become scores: the user decides. */
export interface RewardMapping {
  /** When a branch passes; undefined: the verdict stays open. */
  readonly objective: Objective | undefined;
  /** Which reward becomes the judge's score; undefined: none. */
  readonly score: ScoreMapping | undefined;
}

/** A reward that is mapped to the judge's score, lowest to 0 and highest to 10. */
export interface ScoreMapping {
  /** Name of the reward; undefined: the default of the source. */
  readonly metric: string | undefined;
  readonly range: ScoreRange;
}
