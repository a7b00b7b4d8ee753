import type { Shape, ShapeType } from "#generated/shapes.js";
import { SHAPE_TYPES } from "../../../base/json/value.js";
import { type Definitions, definitionOf } from "../../schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { slashHeader } from "../file-header.js";
import type { Target } from "../target.js";

const TOLD = new Set([
  ...["type", "enum", "const", "minimum", "maximum", "minLength", "minItems"],
  ...["properties", "required", "items", "allOf"],
]);

/** For a node that shapes cannot express: no value matches, so it is always validated in full. */
const NOTHING: Shape = { type: [] };

/**
 * The shape of a node, without references: a value that matches it is valid. `above`: the nodes that contain this one; one
 * that contains itself has no shape.
 */
export function toShape(
  node: SchemaNode | boolean,
  definitions: Definitions,
  above: readonly SchemaNode[] = [],
): Shape {
  if (typeof node === "boolean") return node ? {} : NOTHING;
  if (above.includes(node)) return NOTHING;
  const within = [...above, node];
  const { $ref, title: _, description: __, "x-redact": ___, ...constraints } = node;
  const keywords = Object.keys(constraints);
  if ($ref !== undefined) {
    if (keywords.length > 0) return NOTHING;
    return toShape(definitionOf($ref, definitions).node, definitions, within);
  }
  if (saysOfOtherTypes(node)) return NOTHING;
  const types = typesOf(node);
  if (!keywords.every((keyword) => TOLD.has(keyword)) || !types.every(isShapeType)) return NOTHING;
  const { minimum, maximum, minLength = 0, minItems = 0, required = [] } = node;
  if (minLength > 1 || minItems > 1) return NOTHING;
  const constants = node.const === undefined ? node.enum : [node.const];
  const constantType = constants && typeOfConstants(constants);
  if (constants && (!constantType || (types.length > 0 && !types.includes(constantType))))
    return NOTHING;
  const own: Shape = {
    ...(types.length > 0 && { type: types }),
    ...(constantType && { type: [constantType], enum: constants?.filter(isConstant) ?? [] }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(minLength > 0 && { minLength }),
    ...(minItems > 0 && { minItems }),
    ...(node.properties && {
      properties: Object.fromEntries(
        Object.entries(node.properties).map(([key, child]) => [
          key,
          toShape(child, definitions, within),
        ]),
      ),
    }),
    ...(required.length > 0 && { required }),
    ...(node.items && { items: toShape(node.items, definitions, within) }),
  };
  const bases = (node.allOf ?? []).map((base) => toShape(base, definitions, within));
  return bases.reduce(join, requireKnown(own, bases));
}

/** The keywords that say something of one type alone. */
const TYPED: readonly (readonly [
  types: readonly string[],
  keywords: readonly (keyof SchemaNode)[],
])[] = [
  [["object"], ["properties", "required"]],
  [["array"], ["items", "minItems"]],
  [["string"], ["minLength"]],
  [
    ["integer", "number"],
    ["minimum", "maximum"],
  ],
];

/** Whether a keyword allows every value of other types, or a key cannot stand in an object literal. */
function saysOfOtherTypes(node: SchemaNode): boolean {
  const own = typesOf(node).filter((type) => type !== "null");
  const isOfOthers = TYPED.some(
    ([types, keywords]) =>
      keywords.some((keyword) => node[keyword] !== undefined) &&
      (own.length !== 1 || !types.includes(own[0] ?? "")),
  );
  const names = [...Object.keys(node.properties ?? {}), ...(node.required ?? [])];
  return isOfOthers || names.includes("__proto__");
}

/** The type of constants that the scan compares by their text; undefined if it cannot. */
function typeOfConstants(constants: readonly unknown[]): "string" | "integer" | undefined {
  if (constants.length === 0) return undefined;
  if (constants.every((each) => typeof each === "string")) return "string";
  return constants.every(Number.isSafeInteger) ? "integer" : undefined;
}

function isConstant(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** A required key needs a property, if only one that allows any value. */
function requireKnown(shape: Shape, bases: readonly Shape[]): Shape {
  const known = new Set([shape, ...bases].flatMap((each) => Object.keys(each.properties ?? {})));
  const unknown = (shape.required ?? []).filter((key) => !known.has(key));
  if (unknown.length === 0) return shape;
  const properties = Object.fromEntries(unknown.map((key) => [key, {}]));
  return { ...shape, properties: { ...shape.properties, ...properties } };
}

/** The shape of an object that fits both. Two that say more than that, or describe a key twice, are not joined. */
function join(shape: Shape, base: Shape): Shape {
  const told = new Set(["type", "properties", "required"]);
  const areObjects = [shape, base].every(
    (each) => each.type?.join() === "object" && Object.keys(each).every((key) => told.has(key)),
  );
  const properties = { ...base.properties, ...shape.properties };
  const keys = [shape, base].flatMap((each) => Object.keys(each.properties ?? {}));
  if (!areObjects || keys.length > Object.keys(properties).length) return NOTHING;
  const required = [...(base.required ?? []), ...(shape.required ?? [])];
  return { type: ["object"], properties, ...(required.length > 0 && { required }) };
}

function isShapeType(type: string): type is ShapeType {
  return SHAPE_TYPES.some((each) => each === type);
}

export const typescriptShapes: Target = {
  id: "typescript-shapes",
  purpose: "the shape of every definition, for the byte scan",
  isForWire: true,
  async generate(input) {
    const { folder, definitions } = input;
    const header = slashHeader(input);
    const names = [...definitions.values()].map(({ name, node }) => ({
      name,
      json: JSON.stringify(toShape(node, definitions)),
    }));
    return [
      {
        path: `${folder}/shapes.js`,
        text: [
          header,
          "export const shapes = {",
          ...names.map(({ name, json }) => `  ${name}: ${json},`),
          "};",
          "",
        ].join("\n"),
      },
      {
        path: `${folder}/shapes.d.ts`,
        text: [
          header,
          "/** A JSON Schema with only these keywords, and lists of types. `{}` allows any value. */",
          "export interface Shape {",
          "  readonly type?: readonly ShapeType[];",
          "  readonly enum?: readonly (string | number)[];",
          "  readonly minimum?: number;",
          "  readonly maximum?: number;",
          "  /** At most 1, and so is `minItems`. */",
          "  readonly minLength?: number;",
          "  readonly minItems?: number;",
          "  readonly properties?: Readonly<Record<string, Shape>>;",
          "  /** Each has a property. */",
          "  readonly required?: readonly string[];",
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
