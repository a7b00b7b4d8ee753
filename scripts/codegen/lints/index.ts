import { description } from "./description.js";
import type { Lint } from "./lint.js";
import { unreachable } from "./unreachable.js";

/** Every lint, in the order in which findings are reported. */
export const lints: readonly Lint[] = [description, unreachable];
