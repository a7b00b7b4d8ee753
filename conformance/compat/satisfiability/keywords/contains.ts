import { all, any, type Formula, isType } from "../formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";

/** `minContains` and `maxContains` mean nothing without `contains`. */
export const contains: Keyword = {
  names: ["contains", "minContains", "maxContains"],
  parts: (context) => {
    if (context.schema.contains === undefined) return [];
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = context.schema;
    const [min, max] = [Number(minContains), Number(maxContains)];
    const few = min > 0 ? [count(context, 0, min - 1)] : [];
    const many = Number.isFinite(max) ? [count(context, max + 1, Number.POSITIVE_INFINITY)] : [];
    return [{ holds: count(context, min, max), fails: all(isType("array"), any(...few, ...many)) }];
  },
};

function count(context: KeywordContext, min: number, max: number): Formula {
  return { kind: "contains", location: context.at("/contains", true).location, min, max };
}
