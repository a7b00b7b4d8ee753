import { features } from "#generated/features.js";
import { createDpoTrainingRecord, createPpoTrainingRecord } from "../training-records.js";
import type { ExportTarget } from "./target.js";

export const training = {
  id: "training",
  purpose: "Layer 3: whole conversations with a normalised reward",
  readsToolEvents: true,
  readsReasoning: true,
  endsInAnswer: true,
  features: { dpo: features.DpoTrainingRecord, ppo: features.PpoTrainingRecord },
  toDpo: createDpoTrainingRecord,
  toPpo: createPpoTrainingRecord,
} satisfies ExportTarget;
