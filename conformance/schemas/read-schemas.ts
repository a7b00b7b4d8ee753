import { loadSchemas, type SourceSchema } from "./load-schemas.js";

/**
 * All schemas below `root`, sorted by name. Throws FileFault for the first fault of any of them, and UserError as
 * `loadSchemas` does: who builds on schemas shall not build on the ones that are left.
 */
export function readSchemas(root: string): readonly SourceSchema[] {
  const { schemas, faults } = loadSchemas(root);
  for (const fault of faults) throw fault;
  return schemas;
}
