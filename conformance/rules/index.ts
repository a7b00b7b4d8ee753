import { hashMatchesTask } from "./hash-matches-task.js";
import type { Rule } from "./rule.js";
import { toolEventDialect } from "./tool-event-dialect.js";

/** Every semantic rule, in the order in which their findings are reported. */
export const rules: readonly Rule[] = [hashMatchesTask, toolEventDialect];
