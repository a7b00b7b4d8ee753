import { distillation } from "./distillation.js";
import { message } from "./message.js";
import { multiplayer } from "./multiplayer.js";
import { preference } from "./preference.js";
import { problem } from "./problem.js";
import { rubric } from "./rubric.js";

/** Every kind of environment of which traces are built, by its id. */
export const traceKinds = {
  problem,
  distillation,
  rubric,
  preference,
  message,
  multiplayer,
} as const;
