import { type KnownOptions, requireKnownOptions, requireNumber } from "../../options.js";

/** How long to wait before records are sent again. All in milliseconds. */
export interface RetryPolicy {
  /** After the first failure; doubles with each one that follows. Default 500. */
  readonly firstDelayMs?: number;
  /** Longest wait that was not asked for. Default 60,000. */
  readonly maxDelayMs?: number;
  /** Longest wait that a destination may ask for (`Retry-After`). Default 900,000: a quarter of an hour. */
  readonly maxRetryAfterMs?: number;
}

const OPTIONS: KnownOptions<RetryPolicy> = {
  firstDelayMs: true,
  maxDelayMs: true,
  maxRetryAfterMs: true,
};

/** The policy, as far as `given` is one. Throws UserError (exit 2) for one that would not wait. */
export function readRetryPolicy(given: unknown): RetryPolicy {
  if (typeof given !== "object" || given === null) return {};
  requireKnownOptions("retry:", given, OPTIONS);
  for (const option of Object.keys(OPTIONS)) {
    const value: unknown = Reflect.get(given, option);
    if (value !== undefined) requireNumber(`retry: ${option}`, value, 1);
  }
  return given;
}

/**
 * Milliseconds to wait after `failures` failures in a row (from 1): doubling, of which a random half is
 * left out, so that many processes do not come back at once ("equal jitter"). Never less than what the
 * destination asked for, up to the bound.
 */
export function retryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy,
  random: () => number,
): number {
  const { firstDelayMs = 500, maxDelayMs = 60_000, maxRetryAfterMs = 900_000 } = policy;
  // 2 ** 1023 is the last power that is finite.
  const longest = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 1023));
  const own = longest * (0.5 + random() / 2);
  return Math.max(own, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}
