import type { Feature } from "../../../base/json/feature.js";
import { type Definition, type Definitions, definitionOf } from "../../schemas/definitions.js";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { slashHeader } from "../file-header.js";
import type { Target } from "../target.js";

const JSON_FEATURE: Feature = { _type: "Json" };

const DTYPES: Readonly<Partial<Record<TypeName, string>>> = {
  string: "string",
  integer: "int64",
  number: "float64",
  boolean: "bool",
};

/**
 * Hugging Face `datasets` feature of a definition: columns for an entry type, whose records are the rows of a
 * file, and otherwise a feature that round-trips values.
 *
 * A struct has exactly its fields in every row: it fills absent ones with null, and rejects unknown ones. So
 * only a closed object that requires all of its properties is a struct. Any other object is `Json`, as is a
 * value of several types.
 */
export function toFeature({ name, schema, node }: Definition, definitions: Definitions): Feature {
  return schema.entryTypes.includes(name)
    ? toStruct(flattenAllOf(node, definitions), definitions, [node])
    : toNodeFeature(node, definitions, []);
}

/** `above`: the nodes that contain this one. A value that may contain itself is `Json`. */
function toNodeFeature(
  node: SchemaNode,
  definitions: Definitions,
  above: readonly SchemaNode[],
): Feature {
  if (above.includes(node)) return JSON_FEATURE;
  const within = [...above, node];
  if (node.$ref !== undefined) {
    return toNodeFeature(definitionOf(node.$ref, definitions).node, definitions, within);
  }
  const [type, ...others] = typesIn(node);
  if (type === undefined || others.length > 0) return JSON_FEATURE;
  if (type === "array") {
    const isUniform = node.items !== undefined && node.prefixItems === undefined;
    const feature = isUniform ? toNodeFeature(node.items ?? {}, definitions, within) : JSON_FEATURE;
    return { _type: "List", feature };
  }
  if (isExact(node)) return toStruct(node, definitions, within);
  const dtype = DTYPES[type];
  return dtype === undefined ? JSON_FEATURE : { _type: "Value", dtype };
}

function toStruct(
  { properties = {} }: SchemaNode,
  definitions: Definitions,
  within: readonly SchemaNode[],
): Feature {
  return Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [
      name,
      toNodeFeature(child, definitions, within),
    ]),
  );
}

/** Whether all values of an object type have the same fields. */
function isExact({
  type,
  properties = {},
  required = [],
  additionalProperties,
  patternProperties,
}: SchemaNode): boolean {
  return (
    type === "object" &&
    additionalProperties === false &&
    patternProperties === undefined &&
    Object.keys(properties).every((name) => required.includes(name))
  );
}

/** The types of a node without null, which every feature allows; for literals, their types. */
function typesIn(node: SchemaNode): TypeName[] {
  const declared = typesOf(node);
  const literals = [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])];
  const types = declared.length > 0 ? declared : literals.map(typeOfLiteral);
  return [...new Set(types)].filter((type) => type !== "null");
}

function typeOfLiteral(literal: unknown): TypeName {
  if (typeof literal === "string") return "string";
  if (typeof literal === "boolean") return "boolean";
  if (typeof literal === "number") return Number.isSafeInteger(literal) ? "integer" : "number";
  if (literal === null) return "null";
  return Array.isArray(literal) ? "array" : "object";
}

export const datasetFeatures: Target = {
  id: "dataset-features",
  purpose: "the Hugging Face datasets features of every definition",
  isForWire: true,
  async generate(input) {
    const { folder, definitions } = input;
    const header = slashHeader(input);
    const features = [...definitions.values()].map((definition) => ({
      name: definition.name,
      json: JSON.stringify(toFeature(definition, definitions)),
    }));
    return [
      {
        path: `${folder}/features.js`,
        text: [
          header,
          "export const features = {",
          ...features.map(({ name, json }) => `  ${name}: ${json},`),
          "};",
          "",
        ].join("\n"),
      },
      {
        path: `${folder}/features.d.ts`,
        text: [
          header,
          "/**",
          " * Hugging Face `datasets` features of every definition, as `datasets.Features.from_dict` reads",
          " * them: columns for an entry type, else the feature of one value. An object of any shape is Json.",
          " */",
          "export const features: {",
          // Literals have the type of their JSON text.
          ...features.map(({ name, json }) => `  readonly ${name}: ${json};`),
          "};",
          "",
        ].join("\n"),
      },
    ];
  },
};
