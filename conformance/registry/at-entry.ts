import type { FaultPlace } from "../../src/findings/finding.js";
import { REGISTRY_FILE } from "./registry-file.js";

/** A fault of the schema at `index` in the registry, at a field of its entry; of the entry itself at "". */
export function atEntry(index: number, field: string, id: string, message: string): FaultPlace {
  const pointer = [`/schemas/${index}`, field].filter((part) => part !== "").join("/");
  return { id, file: REGISTRY_FILE, pointer, message };
}
