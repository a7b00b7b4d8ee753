import { describeThrown } from "../capture/errors.js";
import type { CaptureLogger } from "../delivery/delivery.js";
import { isThenable } from "./instrument/patch.js";
import type { Scorer } from "./options.js";
import type { Outcome } from "./outcome.js";

/** Longest wait for a scorer, in milliseconds: a judge that is a model may take a while. */
const SCORER_TIMEOUT_MS = 30_000;

/** The score of an outcome, null when there is none; a promise only when the scorer gives one. */
export type ScoreOutcome = (outcome: Outcome) => number | null | Promise<number | null>;

/**
 * A scorer that does no harm: nothing that it throws comes through, and what is no finite number, or does
 * not come within `timeoutMs`, is no score. It is said when scores begin to fail, and not again until one
 * came. The scorer null scores nothing.
 */
export function createScoreOutcome(
  scorer: Scorer | null,
  logger: CaptureLogger,
  timeoutMs: number = SCORER_TIMEOUT_MS,
): ScoreOutcome {
  if (scorer === null) return () => null;
  let isFailing = false;
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

/** Rejects after `ms`; the wait alone keeps no process alive. */
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
