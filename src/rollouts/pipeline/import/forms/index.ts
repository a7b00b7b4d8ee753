import { atif } from "./atif.js";
import type { Form } from "./form.js";
import { presetForms, rows } from "./rows.js";
import { tinker } from "./tinker.js";

/**
 * All forms of logs and rows that can be imported, in the order of `--help`. A file has the first form that recognises it:
 * `messages`, the last, takes any row with a conversation.
 */
export const forms: readonly Form[] = [tinker, atif, ...presetForms, rows];
