import type { Formula } from "../formula.js";
import type { Keyword } from "./keyword.js";

export const enumeration: Keyword = {
  names: ["enum"],
  holds: ({ schema }) => [among(schema.enum, true)],
  fails: ({ schema }) => [among(schema.enum, false)],
};

export const constant: Keyword = {
  names: ["const"],
  holds: ({ schema }) => [among([schema.const], true)],
  fails: ({ schema }) => [among([schema.const], false)],
};

function among(values: unknown, holds: boolean): Formula {
  return { kind: "values", values: Array.isArray(values) ? values : [], among: holds };
}
