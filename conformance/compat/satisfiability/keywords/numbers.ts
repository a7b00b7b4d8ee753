import { all, any, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

function bound(name: string, kind: "minimum" | "maximum", exclusive: boolean): Keyword {
  const opposite = kind === "minimum" ? "maximum" : "minimum";
  return {
    names: [name],
    parts: ({ schema }) => {
      const bound = Number(schema[name]);
      return [
        {
          holds: { kind, bound, exclusive },
          fails: all(isType("number"), { kind: opposite, bound, exclusive: !exclusive }),
        },
      ];
    },
  };
}

export const minimum = bound("minimum", "minimum", false);
export const exclusiveMinimum = bound("exclusiveMinimum", "minimum", true);
export const maximum = bound("maximum", "maximum", false);
export const exclusiveMaximum = bound("exclusiveMaximum", "maximum", true);

/** Validators differ in numbers of very many steps: by their digits they may be multiples, and never to Ajv. */
export const multipleOf: Keyword = {
  names: ["multipleOf"],
  parts: ({ schema }) => {
    const of = Number(schema.multipleOf);
    const multiple = { kind: "multiple", of, keyword: "multipleOf" } as const;
    return [
      {
        holds: { ...multiple, holds: true },
        fails: all(
          isType("number"),
          any({ ...multiple, holds: false }, { kind: "many-steps", of }),
        ),
      },
    ];
  },
};
