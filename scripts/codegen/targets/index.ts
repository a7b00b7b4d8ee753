import type { Target } from "../target.js";
import { datasetFeatures } from "./dataset-features.js";
import { python } from "./python.js";
import { reference } from "./reference.js";
import { registryHashes } from "./registry-hashes.js";
import { releasedHashes } from "./released-hashes.js";
import { typescriptIndex } from "./typescript-index.js";
import { typescriptShapes } from "./typescript-shapes.js";
import { typescriptTypes } from "./typescript-types.js";
import { typescriptValidators } from "./typescript-validators.js";

/** Every kind of generated code, in the order in which `generate` reports them. */
export const targets: readonly Target[] = [
  typescriptTypes,
  typescriptValidators,
  typescriptIndex,
  typescriptShapes,
  datasetFeatures,
  python,
  reference,
  registryHashes,
  releasedHashes,
];
