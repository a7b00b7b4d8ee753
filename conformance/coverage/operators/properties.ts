import { isJsonObject } from "../../../src/json/value.js";
import { createSample } from "../create-sample.js";
import type { Operator } from "./operator.js";
import { NEVER } from "./parts/never.js";

export const properties: Operator = {
  keyword: "properties",
  purpose: "each property is used",
  // Without its schema a property would be free: that is what the mutants of its own keywords are.
  loosen: () => [],
  tighten(node, definitions) {
    return Object.entries(node.properties ?? {}).map(([name, child]) => ({
      at: ["properties", name],
      change: `forbids ${JSON.stringify(name)}`,
      mutant: { ...node, properties: { ...node.properties, [name]: NEVER } },
      witnesses: [
        {
          name: "with-%",
          why: "% is present",
          field: name,
          toValue(valid) {
            if (!isJsonObject(valid) || Object.hasOwn(valid, name)) return valid;
            return { ...valid, [name]: createSample(child, definitions) };
          },
        },
      ],
    }));
  },
};
