import { previewValue } from "../../../text.js";
import { EXIT, UserError } from "../../../user-error.js";

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
  /** The condition as one writes it: `reward>0`. */
  readonly text: string;
  /** `value` is finite. */
  passes(value: number): boolean;
}

/** A name, a comparison, and a decimal number. */
const OBJECTIVE =
  /^([^<>=]*[^<>=!\s])\s*(>=|<=|==|=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i;

/** Reads `reward>0` and its like. Throws UserError (exit 2) for what is none. */
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
