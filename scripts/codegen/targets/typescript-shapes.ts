import { SHAPE_TYPES } from "../../../src/jsonl/scan/shape-table.js";
import { ownGenerator, slashHeader } from "../file-header.js";
import { toShape } from "../shapes/to-shape.js";
import type { Target } from "../target.js";

export const typescriptShapes: Target = {
  id: "typescript-shapes",
  purpose: "what a scan of its bytes can tell of a value of every definition",
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
          "/** A JSON Schema of these keywords alone, with lists of types. `{}` is any value. */",
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
          " * What a value of each definition has to be, as far as a scan of its bytes can tell: what has the shape is",
          " * valid. What no shape can tell has one of no type.",
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
