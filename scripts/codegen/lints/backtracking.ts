import { isSafePattern } from "redos-detector";
import { isPattern } from "../is-pattern.js";
import { walkDefinitions } from "../walk-definitions.js";
import type { Lint } from "./lint.js";

/** Steps after which a pattern counts as dangerous: those of the schemas take a few hundred. */
const MAX_STEPS = 5000;

export const backtracking: Lint = {
  id: "backtracking",
  purpose: "No pattern takes more than linear time, on any text.",
  *find({ schemas }) {
    for (const { file, document } of schemas) {
      for (const { node, pointer } of walkDefinitions(document)) {
        const { pattern } = node;
        // What is no pattern is told by the profile.
        const problem = pattern !== undefined && isPattern(pattern) && describeDanger(pattern);
        if (problem) yield { file, pointer: `${pointer}/pattern`, problem };
      }
    }
  },
};

/** Bounded by steps and not by time, so that the verdict is the same on every machine. */
function describeDanger(pattern: string): string | undefined {
  const options = { unicode: true, maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY };
  try {
    const { safe } = isSafePattern(pattern, options);
    return safe ? undefined : `can take very long on some texts: ${pattern}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `is a pattern whose time cannot be told: ${reason}`;
  }
}
