import { isSafePattern } from "redos-detector";
import { walkNodes } from "../walk-nodes.js";
import type { Lint } from "./lint.js";

/** Steps after which a pattern counts as dangerous: those of the schemas take a few hundred. */
const MAX_STEPS = 5000;

export const backtracking: Lint = {
  id: "backtracking",
  purpose: "No pattern takes more than linear time, on any text.",
  *find({ schemas }) {
    for (const { file, document } of schemas) {
      for (const { node, pointer } of walkNodes(document)) {
        if (node.pattern === undefined || isLinear(node.pattern)) continue;
        const problem = `can take very long on some texts: ${node.pattern}`;
        yield { file, pointer: `${pointer}/pattern`, problem };
      }
    }
  },
};

/** Bounded by steps and not by time, so that the verdict is the same on every machine. */
function isLinear(pattern: string): boolean {
  const options = { unicode: true, maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY };
  return isSafePattern(pattern, options).safe;
}
