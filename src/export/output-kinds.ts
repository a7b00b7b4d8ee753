import { type ExportTarget, OUTPUT_KINDS, type OutputKind } from "./targets/target.js";

/** The kinds of file that a target writes, in their own order. */
export function outputKinds(target: ExportTarget): OutputKind[] {
  const builders = { dpo: target.toDpo, ppo: target.toPpo, sft: target.toSft };
  return OUTPUT_KINDS.filter((kind) => builders[kind] !== undefined);
}
