import { findOwnResponse } from "../../capture/trace/tracer.js";
import { readTraceSteps } from "../trace-steps.js";
import type { RecordRule } from "./rule.js";

/**
 * A list of messages that is shared, not copied, gets the response appended before the trace is stored:
 * the model is then taught to repeat what stands in its prompt. So the prompt's end is looked at: the last
 * message of each of its lists, and the end of each of its texts.
 */
export const tracePromptAliasing = {
  id: "trace-prompt-aliasing",
  purpose: "the prompt of a step does not end with the step's own response",
  scope: "record",
  check(record, type) {
    return readTraceSteps(record, type).flatMap(({ pointer, step }) => {
      const place = findOwnResponse(step);
      if (place === undefined) return [];
      const message = "the prompt holds the step's own response: it is no snapshot";
      return [{ pointer: `${pointer}/prompt${place}`, message }];
    });
  },
} as const satisfies RecordRule;
