import { isJsonObject } from "../../../../src/records/json-object.js";
import { schemasFor } from "../../places/objects.js";
import type { PlacePair } from "../../places/place-pair.js";

/** Whether the new version has a default for a property. */
export function hasDefault(pair: PlacePair, name: string): boolean {
  return schemasFor(pair.new, name).some(
    ({ schema }) => isJsonObject(schema) && Object.hasOwn(schema, "default"),
  );
}
