import { previewValue } from "../../../../base/text.js";
import { EXIT, UserError } from "../../../../base/user-error.js";

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
  /** The condition in normalised form: `reward>0`. */
  readonly text: string;
  /** `value` must be finite. */
  passes(value: number): boolean;
}

/** A name, a comparison, and a decimal number. */
const OBJECTIVE =
  /^([^<>=]*[^<>=!\s])\s*(>=|<=|==|=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i;

/** Parses a condition such as `reward>0`. Throws UserError (exit 2) if it is invalid. */
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

/** Lowest and highest possible reward. Both are finite, and the first is lower. */
type ScoreRange = readonly [low: number, high: number];

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Parses a range such as `-1,1`. Throws UserError (exit 2) if it is invalid. */
export function parseScoreRange(given: string): ScoreRange {
  const parts = given.split(",").map((part) => part.trim());
  const [low = Number.NaN, high = Number.NaN] = parts.map(Number);
  const isRange = parts.length === 2 && parts.every((part) => NUMBER.test(part)) && low < high;
  // The difference between -1e308 and 1e308 overflows to Infinity.
  if (isRange && Number.isFinite(high - low)) return [low, high];
  throw new UserError(
    `--score-range ${previewValue(given)}: write <lowest>,<highest>, such as -1,1`,
    EXIT.usage,
  );
}

/** How the user wants unbounded rewards of a log to be converted to scores. */
export interface RewardMapping {
  /** When a branch passes. Undefined: no verdict. */
  readonly objective: Objective | undefined;
  /** Which reward becomes the judge's score. Undefined: none. */
  readonly score: ScoreMapping | undefined;
  /** The word that counts as 1; every other word counts as 0. Undefined: words are errors. */
  readonly passValue?: string | undefined;
}

/** Maps a reward linearly to the judge's score: the lowest to 0 and the highest to 10. */
export interface ScoreMapping {
  /** Name of the reward. Undefined: the default of the source. */
  readonly metric: string | undefined;
  readonly range: ScoreRange;
}

/** Rewards from 0 to 1 are understood without options, and so are true and false. */
export const UNIT_REWARDS: RewardMapping = {
  objective: parseObjective("reward>0.5"),
  score: { metric: undefined, range: parseScoreRange("0,1") },
};

/** A reward as a number: true counts as 1 and false as 0, because some graders write booleans, and a text is read. */
export function toRewardNumber(value: unknown, passValue?: string): number | undefined {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return undefined;
  if (passValue !== undefined) return value === passValue ? 1 : 0;
  return NUMBER.test(value.trim()) ? Number(value) : undefined;
}
