import { atif } from "./atif.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { elizaNative } from "./eliza-native.js";
import type { Form } from "./form.js";
import { inspect } from "./inspect.js";
import { langfuse } from "./langfuse.js";
import { langsmith } from "./langsmith.js";
import { langsmithBatches } from "./langsmith-batches.js";
import { openhandsEvents } from "./openhands-events.js";
import { pi } from "./pi.js";
import { responses } from "./responses.js";
import { presetForms, rows } from "./rows.js";
import { sweAgent } from "./swe-agent.js";
import { tau2, tauBench } from "./tau.js";
import { tinker } from "./tinker.js";
import { verifiers } from "./verifiers.js";

/**
 * All forms of logs and rows that can be imported, in the order of `--help`. A file has the first form that recognises it:
 * presets come after forms with structures of their own, and `messages`, the last, takes any row with a conversation.
 */
export const forms: readonly Form[] = [
  ...[tinker, atif, claudeCode, codex, pi, responses, inspect, tauBench, tau2, sweAgent, verifiers],
  ...[elizaNative, langfuse, langsmith, langsmithBatches, openhandsEvents],
  ...presetForms,
  rows,
];
