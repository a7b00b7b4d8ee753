import { Option } from "commander";
import { isTargetId, type TargetId, targets } from "../rollouts/wire/export/targets/index.js";
import type { OptionValues } from "./command.js";

// Apart from the other options, so that `validate` and `rank` load no list of targets.

/** Option of every command that writes for a trainer, or says which rollouts make a pair for one. */
export function createTargetOption(description = "trainer for which pairs are made"): Option {
  return new Option("-t, --target <name>", description)
    .choices(Object.keys(targets))
    .default("trl" satisfies TargetId);
}

/** Reads `createTargetOption`. */
export function readTarget(options: OptionValues): TargetId {
  const target = options.text("target");
  if (!isTargetId(target)) throw new TypeError(`no export target is called "${target}"`);
  return target;
}
