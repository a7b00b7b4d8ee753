import { toPointerToken } from "../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { DEFINITION_KEYWORDS } from "../schemas/keywords.js";

/** A schema to which a reference may lead. */
export interface Definition {
  /** "" for the document. */
  readonly name: string;
  /** JSON Pointer from the document. */
  readonly pointer: string;
  readonly node: JsonObject;
}

/** A document and its definitions. */
export function listDefinitions(document: JsonObject): readonly Definition[] {
  const named = DEFINITION_KEYWORDS.flatMap((keyword) => {
    const members = document[keyword];
    return Object.entries(isJsonObject(members) ? members : {}).map(([name, node]) => ({
      name,
      pointer: `/${keyword}/${toPointerToken(name)}`,
      node: isJsonObject(node) ? node : {},
    }));
  });
  return [{ name: "", pointer: "", node: document }, ...named];
}
