import { packageRoot } from "../../../base/package.js";
import { readRegistry } from "../../schemas/registry.js";

const { schemas } = readRegistry(packageRoot());
const idOf = (schema: string) => schemas.find(({ name }) => name === schema)?.id;

/** Identifier of a schema that EXTRA refers to. */
export const WIRE = idOf("rollout-wire");

/** A schema with features that the canonical ones lack: odd names, nesting, every checked keyword. */
export const EXTRA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.com/schemas/extra/v1",
  title: "extra/v1",
  description: "A second schema.",
  anyOf: [{ $ref: "#/$defs/Extra" }],
  $defs: {
    Extra: {
      description: 'An object with a "quoted" word, a \\ backslash and """ quotes.',
      type: "object",
      properties: {
        class: { description: "A keyword of Python.", type: "string", maxLength: 3 },
        schema: { description: "A name that pydantic uses.", type: "string" },
        "odd-name": { description: "No identifier.", type: "integer", exclusiveMinimum: 0 },
        description: { description: "Named as a keyword of JSON Schema.", type: "string" },
        anything: { description: "Any value." },
        flags: { description: "Scalars of all kinds.", enum: [true, null, 3, "three"] },
        matrix: {
          description: "Nested arrays.",
          type: "array",
          minItems: 1,
          maxItems: 2,
          items: { type: "array", items: { type: "number", exclusiveMaximum: 10, maximum: 9 } },
        },
        inner: {
          description: "An object declared in place.",
          type: "object",
          properties: { "a/b~{c}": { description: "An awkward name.", type: "boolean" } },
          required: ["a/b~{c}"],
        },
        list: {
          description: "Objects declared in place.",
          type: "array",
          items: {
            type: "object",
            properties: { x: { type: "integer" } },
            additionalProperties: false,
          },
        },
        counts: {
          description: "A map.",
          type: "object",
          additionalProperties: { type: "integer", minimum: 0 },
        },
        maybe: {
          description: "One of two types.",
          type: ["string", "null"],
          pattern: "^\\d+\\s?$",
        },
        hash: {
          description: "From another schema.",
          $ref: `${WIRE}#/$defs/TaskHash`,
        },
        event: {
          description: "A class of another schema.",
          $ref: `${WIRE}#/$defs/ToolEvent`,
        },
        leaves: { description: "Classes.", type: "array", items: { $ref: "#/$defs/Leaf" } },
      },
      required: ["class"],
    },
    Leaf: {
      description: "A type with two bases, one of them in another schema.",
      type: "object",
      allOf: [
        { $ref: "#/$defs/Base" },
        { $ref: `${idOf("rollout-trace")}#/$defs/RolloutTraceStep` },
      ],
      properties: { seed: { type: ["integer", "null"], minimum: 0 } },
    },
    Base: {
      description: "A base with a base.",
      type: "object",
      allOf: [{ $ref: "#/$defs/Root" }],
      properties: { y: { type: "boolean" } },
    },
    Root: { description: "A base.", type: "object", properties: { x: { type: "string" } } },
  },
};
