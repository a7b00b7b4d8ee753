import { previewValue } from "../../../text.js";
import { EXIT, UserError } from "../../../user-error.js";

/** The lowest and the highest reward that there may be; finite, the first below the second. */
export type ScoreRange = readonly [low: number, high: number];

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Reads `-1,1`. Throws UserError (exit 2) for what is no range. */
export function parseScoreRange(given: string): ScoreRange {
  const parts = given.split(",").map((part) => part.trim());
  const [low = Number.NaN, high = Number.NaN] = parts.map(Number);
  const isRange = parts.length === 2 && parts.every((part) => NUMBER.test(part)) && low < high;
  // Between two numbers at the ends of all numbers the difference would be infinite.
  if (isRange && Number.isFinite(high - low)) return [low, high];
  throw new UserError(
    `--score-range ${previewValue(given)}: write <lowest>,<highest>, such as -1,1`,
    EXIT.usage,
  );
}
