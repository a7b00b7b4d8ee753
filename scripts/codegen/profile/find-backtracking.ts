import { isSafePattern } from "redos-detector";

/** Steps after which a pattern counts as dangerous: those of the schemas take a few hundred. */
const MAX_STEPS = 5000;

/**
 * Why a pattern of ECMAScript may take more than linear time, so that one text could hang every validator that is
 * generated from it; undefined when it never does. Bounded by steps and not by time, so that the verdict is the
 * same on every machine.
 */
export function findBacktracking(pattern: string): string | undefined {
  const options = { unicode: true, maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY };
  try {
    const { safe } = isSafePattern(pattern, options);
    return safe ? undefined : `can take very long on some texts: ${pattern}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `is a pattern whose time cannot be told: ${reason}`;
  }
}
