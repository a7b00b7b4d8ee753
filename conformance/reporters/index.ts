import { json } from "./json.js";
import type { Reporter } from "./reporter.js";
import { text } from "./text.js";

/** Every value of `--format`; the first is the default. */
export const reporters: readonly Reporter[] = [text, json];
