import type { Target } from "../target.js";
import { datasetFeatures } from "./features.js";
import { registryHashes, releasedHashes } from "./hashes.js";
import { pydantic } from "./pydantic.js";
import { python } from "./python.js";
import { reference } from "./reference.js";
import { typescriptIndex } from "./typescript-index.js";
import { typescriptRedaction } from "./typescript-redaction.js";
import { typescriptSchemas } from "./typescript-schemas.js";
import { typescriptShapes } from "./typescript-shapes.js";
import { typescriptTypes } from "./typescript-types.js";
import { typescriptValidators } from "./typescript-validators.js";

/** Every kind of generated code, in the order of the report of `generate`. */
export const targets: readonly Target[] = [
  typescriptTypes,
  typescriptValidators,
  typescriptIndex,
  typescriptSchemas,
  typescriptShapes,
  typescriptRedaction,
  datasetFeatures,
  python,
  pydantic,
  reference,
  registryHashes,
  releasedHashes,
];
