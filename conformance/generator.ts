/** What checks load of the code generator, only when they run. */

export { compareFiles } from "../src/contract/codegen/compare-files.js";
export { keepWire, linkPlan } from "../src/contract/codegen/front/link-plan.js";
export { linkOwnSchemas } from "../src/contract/codegen/front/own-schemas.js";
export { generateFiles } from "../src/contract/codegen/generate-files.js";
export { findSchemaFaults } from "../src/contract/codegen/lints.js";
export { readPlan } from "../src/contract/codegen/plan.js";
export { requireProfile } from "../src/contract/codegen/profile.js";
export { findSources } from "../src/contract/codegen/sources.js";
