import type { SchemaNode } from "../../schemas/schema-node.js";
import { toKebabCase } from "../to-kebab-case.js";
import type { Operator } from "./operator.js";
import { NEVER } from "./parts/never.js";

export const enumeration: Operator = {
  keyword: "enum",
  purpose: "a value that is not listed is refused, and each listed value is used",
  loosen(node) {
    if (node.enum === undefined) return [];
    const { enum: values, ...unlisted } = node;
    const stranger = strangerTo(values);
    return [
      {
        at: ["enum"],
        change: "allows any value of the type",
        mutant: unlisted,
        witnesses: [
          {
            name: "unlisted-%",
            why: `% is ${JSON.stringify(stranger)}, which is none of its values`,
            toValue: () => stranger,
          },
        ],
      },
    ];
  },
  tighten(node) {
    const { enum: values = [] } = node;
    return values.map((value, index) => ({
      at: ["enum", String(index)],
      change: `does not allow ${JSON.stringify(value)}`,
      mutant: without(node, value),
      witnesses: [
        {
          name: `%-${toKebabCase(String(value))}`,
          why: `% is ${JSON.stringify(value)}, one of its values`,
          toValue: () => value,
        },
      ],
    }));
  },
};

function without(node: SchemaNode, value: unknown): SchemaNode {
  const others = (node.enum ?? []).filter((other) => other !== value);
  return others.length === 0 ? NEVER : { ...node, enum: others };
}

/** A value of the same type as the listed ones. */
function strangerTo(values: readonly unknown[]): unknown {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length > 0) return Math.max(...numbers) + 1;
  const candidates = ["other", "another"];
  return candidates.find((candidate) => !values.includes(candidate)) ?? values.join("-");
}
