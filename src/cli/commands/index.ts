import type { Command } from "../command.js";
import { check } from "./check.js";
import { diff } from "./diff.js";
import { drift } from "./drift.js";
import { exportCommand } from "./export.js";
import { importCommand } from "./import.js";
import { rank } from "./rank.js";
import { sync } from "./sync.js";
import { validate } from "./validate.js";

/** Every command, in the order of `--help`. */
export const commands: readonly Command[] = [
  validate,
  importCommand,
  rank,
  exportCommand,
  check,
  diff,
  drift,
  sync,
];
