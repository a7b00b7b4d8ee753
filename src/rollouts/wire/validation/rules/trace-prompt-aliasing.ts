import { readTraceSteps } from "../trace-steps.js";
import { findOwnResponse } from "../traces.js";
import type { RecordRule } from "./rule.js";

/**
 * If a message list is shared instead of copied, the response is appended to it before the trace is stored. The
 * model would then learn to repeat its prompt. The rule checks the last message of each list in the prompt and
 * the end of each of its strings.
 */
export const tracePromptAliasing = {
  id: "trace-prompt-aliasing",
  purpose: "the prompt of a step does not end with the step's own response",
  scope: "record",
  check(record, type) {
    return readTraceSteps(record, type).flatMap(({ pointer, step }) => {
      const place = findOwnResponse(step);
      if (place === undefined) return [];
      const message = "the prompt contains the step's own response, so it is not a snapshot";
      return [{ pointer: `${pointer}/prompt${place}`, message }];
    });
  },
} as const satisfies RecordRule;
