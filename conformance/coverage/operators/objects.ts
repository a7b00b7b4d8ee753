import { isJsonObject } from "../../../src/base/json/value.js";
import {
  type Definitions,
  declaredIn,
  definitionOf,
  inheritedBy,
} from "../../../src/contract/schemas/definitions.js";
import { typesOf } from "../../../src/contract/schemas/nodes.js";
import { createSample } from "../samples.js";
import {
  absent,
  type Change,
  NEVER,
  type Operator,
  present,
  strangersTo,
  type Witness,
} from "./operator.js";

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

export const properties: Operator = {
  keyword: "properties",
  purpose: "each property is used",
  // Removing its schema is not tried here: the mutants of the property's own keywords cover that.
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

export const required: Operator = {
  keyword: "required",
  purpose: "each required field is demanded, and each optional one may be absent",
  loosen(node, definitions) {
    const members = node.required ?? [];
    const inherited = inheritedBy(node, definitions).required;
    return members.map((name, index): Change => {
      const at = ["required", String(index)];
      const change = `does not require ${JSON.stringify(name)}`;
      if (inherited.includes(name)) return { at, change, reason: INHERITED };
      const mutant = { ...node, required: members.filter((other) => other !== name) };
      const witness = absent(name, "missing-%", "% is missing, but required");
      return { at, change, mutant, witnesses: [witness] };
    });
  },
  tighten(node, definitions) {
    const members = node.required ?? [];
    const inherited = inheritedBy(node, definitions).required;
    const optional = Object.keys(node.properties ?? {}).filter((name) => !members.includes(name));
    return optional.map((name): Change => {
      const at = ["properties", name];
      const change = `requires ${JSON.stringify(name)}`;
      if (inherited.includes(name)) return { at, change, reason: INHERITED };
      const mutant = { ...node, required: [...members, name] };
      const witness = absent(name, "without-%", "% is absent, for it is optional");
      return { at, change, mutant, witnesses: [witness] };
    });
  },
};

const INHERITED = "a type that this one extends requires it already";

export const items: Operator = {
  keyword: "items",
  purpose: "each array has an item in some fixture",
  // Removing their schema is not tried here: the mutants of the items' own keywords cover that.
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

export const ref: Operator = {
  keyword: "$ref",
  purpose: "each place that refers to a definition is held to it",
  loosen(node, definitions) {
    if (node.$ref === undefined) return [];
    const { $ref, ...free } = node;
    const change = `does not hold to ${$ref}`;
    return [
      { at: ["$ref"], change, mutant: free, witnesses: strangersToTarget($ref, definitions) },
    ];
  },
  tighten(node) {
    if (node.$ref === undefined) return [];
    return [{ at: ["$ref"], change: "allows no value", mutant: NEVER, witnesses: [present] }];
  },
};

/** Values of other types; and objects without a field, if the type is also required elsewhere. */
function strangersToTarget($ref: string, definitions: Definitions): Witness[] {
  const { required } = declaredIn(definitionOf($ref, definitions).node, definitions);
  const lacking = required.map((name) => absent(name, "missing-%", "% is missing, but required"));
  return [...strangersTo({}, `of the type ${$ref}`), ...lacking];
}
