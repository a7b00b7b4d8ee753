import type { SchemaTier } from "#generated/index.js";
import type { FaultPlace } from "../../base/findings/finding.js";

/** Path of the registry in the repository. The generator needs it, and must not load generated code. */
export const REGISTRY_FILE = "schema/registry.json";

/** Whether repositories exchange the records of a schema, as they do if the registry names no tier. */
export function isWire({ tier }: { readonly tier?: SchemaTier | undefined }): boolean {
  return tier !== "tool";
}

/** A fault of the registry entry at `index`, at one of its fields; "" for the entry itself. */
export function atEntry(index: number, field: string, id: string, message: string): FaultPlace {
  const pointer = [`/schemas/${index}`, field].filter((part) => part !== "").join("/");
  return { id, file: REGISTRY_FILE, pointer, message };
}
