/** What checks load of the code generator, only when they run. */

export { compareFiles } from "../src/contract/codegen/compare-files.js";
export { generateFiles } from "../src/contract/codegen/generate-files.js";
export { findSchemaFaults } from "../src/contract/codegen/lints.js";
export { readPlan } from "../src/contract/codegen/plan.js";
