import type { SchemaLocation } from "../../schema-set.js";
import type { Formula } from "../formula.js";
import type { Keyword, Part } from "./keyword.js";

export const reference: Keyword = {
  names: ["$ref"],
  parts: ({ schema, location }) => [partOf(location.set.resolve(location, String(schema.$ref)))],
};

/** Where it leads may depend on where it is come from: then nobody knows. */
export const dynamicReference: Keyword = {
  names: ["$dynamicRef"],
  parts: ({ schema, location }) => {
    const target = location.set.resolveDynamic(location, String(schema.$dynamicRef));
    if (target !== undefined) return [partOf(target)];
    const opaque: Formula = { kind: "opaque", keyword: "$dynamicRef", what: undefined };
    return [{ holds: opaque, fails: opaque }];
  },
};

function partOf(location: SchemaLocation): Part {
  return {
    holds: { kind: "schema", location, holds: true },
    fails: { kind: "schema", location, holds: false },
  };
}
