import { github } from "./github.js";
import { json } from "./json.js";
import { junit } from "./junit.js";
import { markdown } from "./markdown.js";
import type { Reporter } from "./reporter.js";
import { sarif } from "./sarif.js";
import { text } from "./text.js";

/** Every value of `--format`; the first one is the default. */
export const reporters: readonly Reporter[] = [text, json, junit, sarif, github, markdown];
