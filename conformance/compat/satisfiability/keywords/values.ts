import type { Keyword, Part } from "./keyword.js";

export const enumeration: Keyword = {
  names: ["enum"],
  parts: ({ schema }) => [among(Array.isArray(schema.enum) ? schema.enum : [])],
};

export const constant: Keyword = {
  names: ["const"],
  parts: ({ schema }) => [among([schema.const])],
};

function among(values: readonly unknown[]): Part {
  return {
    holds: { kind: "values", values, among: true },
    fails: { kind: "values", values, among: false },
  };
}
