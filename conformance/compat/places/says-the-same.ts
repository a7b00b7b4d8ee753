import { isDeepStrictEqual } from "node:util";
import { type Schema, subschemas } from "../subschemas.js";
import type { PlacePair } from "./place-pair.js";

/**
 * Whether both versions say the same of a place and of all below it, word for word. False where schemas below refer
 * to others, which would have to be looked at.
 */
export function saysTheSame({ old: older, new: newer }: PlacePair): boolean {
  if (older.schemas.length !== newer.schemas.length) return false;
  if ((older.never === undefined) !== (newer.never === undefined)) return false;
  return older.schemas.every(({ schema }, index) => {
    const other = newer.schemas[index]?.schema;
    return isDeepStrictEqual(schema, other) && !refersBelow(schema);
  });
}

function refersBelow(schema: Schema): boolean {
  for (const [, child] of subschemas(schema)) {
    if (typeof child === "boolean") continue;
    if (child.$ref !== undefined || child.$dynamicRef !== undefined || refersBelow(child))
      return true;
  }
  return false;
}
