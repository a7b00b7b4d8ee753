import { atif } from "./atif.js";
import { llamaFactory } from "./llama-factory.js";
import { nemoRl } from "./nemo-rl.js";
import { openai } from "./openai.js";
import type { ExportTarget } from "./target.js";
import { tinker } from "./tinker.js";
import { training } from "./training.js";
import { trl } from "./trl.js";
import { trlKto } from "./trl-kto.js";
import { trlSft } from "./trl-sft.js";
import { wire } from "./wire.js";

/** Declared, not inferred: else the declarations of `rollout-wire/export` import those of the root, which need Node. */
interface Targets {
  readonly training: typeof training;
  readonly wire: typeof wire;
  readonly trl: typeof trl;
  readonly "trl-sft": typeof trlSft;
  readonly "trl-kto": typeof trlKto;
  readonly openai: typeof openai;
  readonly "llama-factory": typeof llamaFactory;
  readonly "nemo-rl": typeof nemoRl;
  readonly tinker: typeof tinker;
  readonly atif: typeof atif;
}

const all: Targets = {
  training,
  wire,
  trl,
  "trl-sft": trlSft,
  "trl-kto": trlKto,
  openai,
  "llama-factory": llamaFactory,
  "nemo-rl": nemoRl,
  tinker,
  atif,
};

/** Values of `--target`. */
export type TargetId = keyof Targets;

/** A function of a target that builds records. */
type BuilderName = "toDpo" | "toPreference" | "toPpo" | "toSft";

/** The record type of a target's builder; never if the target has no such builder. */
export type RecordOf<Id extends TargetId, Builder extends BuilderName> = Builder extends BuilderName
  ? Targets[Id] extends Record<Builder, (...args: never) => infer Built extends object>
    ? Built
    : never
  : never;

/** All export targets by id. */
export const targets: Readonly<Record<TargetId, ExportTarget>> = all;

export function isTargetId(id: string): id is TargetId {
  return Object.hasOwn(targets, id);
}
