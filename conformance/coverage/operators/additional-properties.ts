import { isJsonObject } from "../../../src/json/value.js";
import { declaredIn } from "../../schemas/declared.js";
import { typesOf } from "../../schemas/schema-node.js";
import { createSample } from "../create-sample.js";
import type { Operator, Witness } from "./operator.js";

export const additionalProperties: Operator = {
  keyword: "additionalProperties",
  purpose: "a closed object refuses unknown fields, and an open one takes them",
  loosen(node) {
    if (node.additionalProperties !== false) return [];
    const { additionalProperties: _, ...open } = node;
    const why = "% has a field that the schema does not name, but is closed";
    const witnesses = [unknownField(why, 0)];
    return [
      { at: ["additionalProperties"], change: "allows unknown fields", mutant: open, witnesses },
    ];
  },
  tighten(node, definitions) {
    const { additionalProperties: rest } = node;
    if (rest === false) {
      const reason = "no object can be more closed than a closed one";
      return [{ at: ["additionalProperties"], change: "forbids unknown fields", reason }];
    }
    if (!typesOf(node).includes("object")) return [];
    const { properties: declared } = declaredIn(node, definitions);
    const names = Object.keys(declared).map((name) => [name, node.properties?.[name] ?? {}]);
    const mutant = { ...node, properties: Object.fromEntries(names), additionalProperties: false };
    const isMap = typeof rest === "object";
    const why = isMap
      ? "% has an entry, for its keys are free"
      : "% has a field that the schema does not name, for it is open";
    const value = isMap ? createSample(rest, definitions) : 0;
    return [
      {
        at: rest === undefined ? [] : ["additionalProperties"],
        change: "forbids unknown fields",
        mutant,
        witnesses: [unknownField(why, value)],
      },
    ];
  },
};

function unknownField(why: string, value: unknown): Witness {
  return {
    name: "unknown-field-in-%",
    why,
    toValue: (valid) => ({ ...(isJsonObject(valid) ? valid : {}), unknown_field: value }),
  };
}
