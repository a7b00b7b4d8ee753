import type { CaptureLogger } from "../capture/delivery/delivery.js";
import { describeThrown } from "../capture/errors.js";
import type { Scorer } from "./options.js";
import type { Outcome } from "./outcome.js";
import { isThenable } from "./patch.js";

/** Timeout of a scorer, in milliseconds. A scorer that calls a model may take a while. */
const SCORER_TIMEOUT_MS = 30_000;

/** The score of an outcome, or null; a promise only if the scorer returns one. */
export type ScoreOutcome = (outcome: Outcome) => number | null | Promise<number | null>;

/**
 * Wraps a scorer safely: the score is null if it throws, returns anything but a finite number, or takes longer
 * than `timeoutMs`. The first failure of a series is logged. With a null scorer, every score is null.
 */
export function createScoreOutcome(
  scorer: Scorer | null,
  logger: CaptureLogger,
  timeoutMs: number = SCORER_TIMEOUT_MS,
): ScoreOutcome {
  if (scorer === null) return () => null;
  let isFailing = false;
  let isBeyond = false;
  const refuse = (what: string): null => {
    if (!isFailing) {
      logger.warn(
        `the scorer ${what}: what it does not score is written as branches, without reward`,
      );
    }
    isFailing = true;
    return null;
  };
  const accept = (score: unknown): number | null => {
    if (typeof score !== "number") return refuse(`gave ${typeof score}, and not a number`);
    if (!Number.isFinite(score)) return refuse(`gave ${score}`);
    isFailing = false;
    if ((score < 0 || score > 1) && !isBeyond) {
      isBeyond = true;
      logger.warn(
        `the scorer gave ${score}, but a score is from 0 to 1: branches are written without such a score`,
      );
    }
    return score;
  };
  const refuseError = (error: unknown): null => refuse(`failed (${describeThrown(error).message})`);
  return ({ answer, task }) => {
    try {
      const score: unknown = scorer(answer, task);
      if (!isThenable(score)) return accept(score);
      return within(score, timeoutMs).then(accept, refuseError);
    } catch (error) {
      return refuseError(error);
    }
  };
}

/** Rejects after `ms`, without keeping the process alive. */
async function within(value: PromiseLike<unknown>, ms: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no score within ${ms} ms`)), ms).unref();
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
