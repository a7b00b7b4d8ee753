import { features } from "#generated/features.js";
import { createDpoRecord, createPpoRecord, findFlatObstacle } from "../flat-records.js";
import type { ExportTarget } from "./target.js";

export const wire = {
  id: "wire",
  purpose: "Layer 2: flat prompts and answers with the raw reward",
  readsToolEvents: false,
  readsReasoning: true,
  features: { dpo: features.DpoRecord, ppo: features.PpoRecord },
  toDpo: createDpoRecord,
  findUnrewarded: findFlatObstacle,
  toPpo: createPpoRecord,
} satisfies ExportTarget;
