import { isJsonObject } from "../../../../src/json/value.js";
import type { Witness } from "../operator.js";

/** Tells every schema that forbids a place altogether. */
export const present: Witness = {
  name: "with-%",
  why: "% is present",
  toValue: (valid) => valid,
};

/** Tells a schema that does not care whether there is such a field. */
export function absent(field: string, name: string, why: string): Witness {
  return {
    name,
    why,
    field,
    toValue(valid) {
      if (!isJsonObject(valid)) return valid;
      const { [field]: _, ...rest } = valid;
      return rest;
    },
  };
}
