import type { TargetId } from "../../export/targets/index.js";
import type { TrainerFormat } from "../format.js";
import { axolotl } from "./axolotl.js";
import { llamaFactory } from "./llama-factory.js";
import { nemoRl } from "./nemo-rl.js";
import { openai } from "./openai.js";
import { tinker } from "./tinker.js";
import { trl } from "./trl.js";
import { trlKto } from "./trl-kto.js";
import { trlSft } from "./trl-sft.js";
import { verl } from "./verl.js";

/** The targets of export that no trainer reads: layers of the format, which have schemas, and what `import` reads. */
type NoTrainerId = "training" | "wire" | "atif";

/** Values of `validate --target`: every trainer that `export` writes for, and others. */
export type TrainerId = Exclude<TargetId, NoTrainerId> | "verl" | "axolotl";

/** How each trainer reads files, in the order in which they are tried. */
export const formats: Readonly<Record<TrainerId, TrainerFormat>> = {
  trl,
  "trl-sft": trlSft,
  "trl-kto": trlKto,
  openai,
  "llama-factory": llamaFactory,
  "nemo-rl": nemoRl,
  tinker,
  verl,
  axolotl,
};

export function isTrainerId(id: string): id is TrainerId {
  return Object.hasOwn(formats, id);
}
