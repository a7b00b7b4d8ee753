import { linkDefinitions } from "../../conformance/schemas/definitions.js";
import { type LoadedSchemas, loadSchemas } from "../../conformance/schemas/load.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { lints } from "./lints/index.js";
import { findProfileFaults } from "./schema-profile.js";
import { walkDefinitions } from "./walk-definitions.js";

export interface SchemaFaults {
  readonly schemaCount: number;
  /** How many locations of the schemas were looked at. */
  readonly locationCount: number;
  readonly faults: readonly FaultPlace[];
}

/**
 * All that is wrong with the schemas of the repository at `root`. Schemas that cannot be read, and references
 * that lead nowhere, are told alone: what would follow from them is noise.
 */
export function findSchemaFaults(root: string): SchemaFaults {
  const loaded = loadSchemas(root);
  return {
    schemaCount: loaded.schemas.length,
    locationCount: loaded.schemas.reduce(
      (sum, { document }) => sum + [...walkDefinitions(document)].length,
      0,
    ),
    faults: [...findFaults(loaded)],
  };
}

function* findFaults({ schemas, faults }: LoadedSchemas): Generator<FaultPlace> {
  if (faults.length > 0) return yield* faults.map(({ place }) => place);
  const unresolved: FaultPlace[] = [];
  const definitions = linkDefinitions(schemas, ({ place }) => unresolved.push(place));
  if (unresolved.length > 0) return yield* unresolved;
  for (const { place } of findProfileFaults(definitions)) yield place;
  for (const { id, find } of lints) {
    for (const fault of find({ schemas, definitions })) yield { ...fault, id };
  }
}
