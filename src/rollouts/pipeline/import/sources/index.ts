import { atif } from "./atif.js";
import { messages } from "./messages.js";
import type { ImportSource } from "./source.js";
import { tinker } from "./tinker.js";

/** All kinds of training logs and rows that can be imported, in the order of `--help`. */
export const importSources: readonly ImportSource[] = [tinker, atif, messages];
