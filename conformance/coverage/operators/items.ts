import { typesOf } from "../../schemas/schema-node.js";
import { createSample } from "../create-sample.js";
import type { Operator } from "./operator.js";
import { NEVER } from "./parts/never.js";

export const items: Operator = {
  keyword: "items",
  purpose: "each array has an item in some fixture",
  // Without their schema the items would be free: that is what the mutants of its own keywords are.
  loosen: () => [],
  tighten(node, definitions) {
    if (!typesOf(node).includes("array")) return [];
    return [
      {
        at: node.items === undefined ? [] : ["items"],
        change: "allows no item",
        mutant: { ...node, items: NEVER },
        witnesses: [
          {
            name: "%-with-an-item",
            why: "% has an item",
            toValue: (valid) =>
              Array.isArray(valid) && valid.length > 0
                ? valid
                : [createSample(node.items ?? {}, definitions)],
          },
        ],
      },
    ];
  },
};
