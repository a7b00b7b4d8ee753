import type { Shape, ShapeType } from "#generated/shapes.js";
import { type Definitions, definitionOf } from "../../../conformance/schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../../conformance/schemas/nodes.js";
import { SHAPE_TYPES } from "../../../src/jsonl/scan/shape-table.js";
import { ownGenerator, slashHeader } from "../file-header.js";
import type { Target } from "../target.js";

const TOLD = new Set(["type", "enum", "properties", "items"]);

/** For a node that shapes cannot express: no value matches, so it is always validated in full. */
const NOTHING: Shape = { type: [] };

/** The shape of a node, without references: a value that matches it is valid. The profile excludes cycles. */
export function toShape(node: SchemaNode, definitions: Definitions): Shape {
  const { $ref, title: _, description: __, "x-redact": ___, ...constraints } = node;
  const keywords = Object.keys(constraints);
  if ($ref !== undefined) {
    if (keywords.length > 0) return NOTHING;
    return toShape(definitionOf($ref, definitions).node, definitions);
  }
  const types = typesOf(node);
  const constants = node.enum ?? [];
  if (!keywords.every((keyword) => TOLD.has(keyword))) return NOTHING;
  if (!types.every(isShapeType) || !constants.every(isText)) return NOTHING;
  // An enum of strings where strings are not allowed.
  if (node.enum && types.length > 0 && !types.includes("string")) return NOTHING;
  const properties = Object.entries(node.properties ?? {});
  return {
    ...(types.length > 0 && { type: types }),
    ...(node.enum && { type: ["string"], enum: constants }),
    ...(node.properties && {
      properties: Object.fromEntries(
        properties.map(([key, child]) => [key, toShape(child, definitions)]),
      ),
    }),
    ...(node.items && { items: toShape(node.items, definitions) }),
  };
}

function isShapeType(type: string): type is ShapeType {
  return SHAPE_TYPES.some((each) => each === type);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

export const typescriptShapes: Target = {
  id: "typescript-shapes",
  purpose: "the shape of every definition, for the byte scan",
  async generate({ schemas, definitions }) {
    const header = slashHeader(ownGenerator(), schemas);
    const names = [...definitions.values()].map(({ name, node }) => ({
      name,
      json: JSON.stringify(toShape(node, definitions)),
    }));
    return [
      {
        path: "generated/typescript/shapes.js",
        text: [
          header,
          "export const shapes = {",
          ...names.map(({ name, json }) => `  ${name}: ${json},`),
          "};",
          "",
        ].join("\n"),
      },
      {
        path: "generated/typescript/shapes.d.ts",
        text: [
          header,
          "/** A JSON Schema with only these keywords, and lists of types. `{}` allows any value. */",
          "export interface Shape {",
          "  readonly type?: readonly ShapeType[];",
          "  readonly enum?: readonly string[];",
          "  readonly properties?: Readonly<Record<string, Shape>>;",
          "  readonly items?: Shape;",
          "}",
          "",
          `export type ShapeType = ${SHAPE_TYPES.map((type) => JSON.stringify(type)).join(" | ")};`,
          "",
          "/**",
          " * A shape for each definition that a byte scan can check: a value that matches the shape is valid. A",
          " * definition that shapes cannot express has a shape without types, which matches nothing.",
          " */",
          "export const shapes: {",
          ...names.map(({ name }) => `  readonly ${name}: Shape;`),
          "};",
          "",
        ].join("\n"),
      },
    ];
  },
};
