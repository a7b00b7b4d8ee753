import { Option } from "commander";
import { isTargetId, type TargetId, targets } from "../rollouts/wire/export/targets/index.js";
import type { OptionValues } from "./command.js";

/**
 * Option of every command that says which rollouts make a pair. Apart from the other options, so that `validate` and `rank`
 * load no list of targets.
 */
export const pairTargetOption: Option = new Option(
  "-t, --target <name>",
  "trainer for which pairs are made",
)
  .choices(Object.keys(targets))
  .default("trl" satisfies TargetId);

/** Reads `pairTargetOption`. */
export function readPairTarget(options: OptionValues): TargetId {
  const target = options.text("target");
  if (!isTargetId(target)) throw new TypeError(`no export target is called "${target}"`);
  return target;
}
