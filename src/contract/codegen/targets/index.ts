import type { TargetName } from "#generated/index.js";
import type { Target } from "../target.js";
import { datasetFeatures } from "./features.js";
import { registryHashes, releasedHashes } from "./hashes.js";
import { pydantic } from "./pydantic.js";
import { python } from "./python.js";
import { reference } from "./reference.js";
import { typescriptIndex } from "./typescript-index.js";
import { typescriptRecords } from "./typescript-records.js";
import { typescriptRedaction } from "./typescript-redaction.js";
import { typescriptSchemas } from "./typescript-schemas.js";
import { typescriptShapes } from "./typescript-shapes.js";
import { typescriptTypes } from "./typescript-types.js";
import { typescriptValidators } from "./typescript-validators.js";

/** Every kind of generated code, by the name of the output in a configuration. */
export const targets: Readonly<Record<TargetName, readonly Target[]>> = {
  typescript: [typescriptTypes, typescriptIndex],
  validators: [typescriptValidators],
  python: [python],
  pydantic: [pydantic],
  reference: [reference],
  records: [typescriptRecords],
  schemas: [typescriptSchemas],
  shapes: [typescriptShapes],
  redaction: [typescriptRedaction],
  features: [datasetFeatures],
  hashes: [registryHashes, releasedHashes],
};
