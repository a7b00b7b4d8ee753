import type { Operator } from "./operator.js";
import { NEVER } from "./parts/never.js";

export const constant: Operator = {
  keyword: "const",
  purpose: "every other value is refused, and the constant is used",
  loosen(node) {
    if (node.const === undefined) return [];
    const { const: value, ...free } = node;
    const stranger = typeof value === "number" ? value + 1 : `other-${value}`;
    return [
      {
        at: ["const"],
        change: "allows any value",
        mutant: free,
        witnesses: [
          {
            name: "other-%",
            why: `% is ${JSON.stringify(stranger)}, but must be ${JSON.stringify(value)}`,
            toValue: () => stranger,
          },
        ],
      },
    ];
  },
  tighten(node) {
    if (node.const === undefined) return [];
    const value = node.const;
    return [
      {
        at: ["const"],
        change: `does not allow ${JSON.stringify(value)}`,
        mutant: NEVER,
        witnesses: [
          {
            name: "with-%",
            why: `% is ${JSON.stringify(value)}, its one value`,
            toValue: () => value,
          },
        ],
      },
    ];
  },
};
