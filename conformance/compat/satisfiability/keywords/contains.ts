import { all, type Formula, isType } from "../formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";

/** `minContains` and `maxContains` mean nothing without `contains`. */
export const contains: Keyword = {
  names: ["contains", "minContains", "maxContains"],
  holds: (context) =>
    context.schema.contains === undefined ? [] : [count(context, ...range(context))],
  fails: (context) => {
    if (context.schema.contains === undefined) return [];
    const [min, max] = range(context);
    return [
      ...(min > 0 ? [all(isType("array"), count(context, 0, min - 1))] : []),
      ...(max < Number.POSITIVE_INFINITY
        ? [all(isType("array"), count(context, max + 1, Number.POSITIVE_INFINITY))]
        : []),
    ];
  },
};

function range({ schema }: KeywordContext): [min: number, max: number] {
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
  return [Number(minContains), Number(maxContains)];
}

function count(context: KeywordContext, min: number, max: number): Formula {
  return { kind: "contains", location: context.at("/contains", true).location, min, max };
}
