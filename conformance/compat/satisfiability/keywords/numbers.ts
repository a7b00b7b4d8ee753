import { all, type Constraint, type Formula, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

function bound(name: string, kind: "minimum" | "maximum", exclusive: boolean): Keyword {
  const opposite = kind === "minimum" ? "maximum" : "minimum";
  return {
    names: [name],
    holds: ({ schema }) => [{ kind, bound: Number(schema[name]), exclusive }],
    fails: ({ schema }) => [
      number({ kind: opposite, bound: Number(schema[name]), exclusive: !exclusive }),
    ],
  };
}

function number(constraint: Constraint): Formula {
  return all(isType("number"), constraint);
}

export const minimum = bound("minimum", "minimum", false);
export const exclusiveMinimum = bound("exclusiveMinimum", "minimum", true);
export const maximum = bound("maximum", "maximum", false);
export const exclusiveMaximum = bound("exclusiveMaximum", "maximum", true);

export const multipleOf: Keyword = {
  names: ["multipleOf"],
  holds: ({ schema }) => [{ kind: "multiple", of: Number(schema.multipleOf), holds: true }],
  fails: ({ schema }) => [
    number({ kind: "multiple", of: Number(schema.multipleOf), holds: false }),
  ],
};
