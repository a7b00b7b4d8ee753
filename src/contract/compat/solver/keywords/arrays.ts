import { LEAVES_UNEVALUATED } from "../../schema/schema-set.js";
import { all, any, type Formula, isType } from "../logic/formula.js";
import type { Keyword, KeywordContext, Part } from "./keyword.js";

/** `items` applies to the items after those of `prefixItems`. */
export const items: Keyword = {
  names: ["prefixItems", "items"],
  parts: (context) => {
    const { prefixItems } = context.schema;
    const prefix = Array.isArray(prefixItems) ? prefixItems : [];
    return [
      ...prefix.map((_, index) => itemAt(context, index)),
      ...(context.schema.items === undefined ? [] : [itemsFrom(context, prefix.length)]),
    ];
  },
};

function itemAt({ at }: KeywordContext, index: number): Part {
  const range = { kind: "each-item", from: index, to: index + 1 } as const;
  const pointer = `/prefixItems/${index}`;
  return {
    holds: { ...range, is: at(pointer, true) },
    fails: all(
      isType("array"),
      { kind: "item-count", min: index + 1, max: Number.POSITIVE_INFINITY },
      { ...range, is: at(pointer, false) },
    ),
  };
}

function itemsFrom({ at }: KeywordContext, from: number): Part {
  return {
    holds: { kind: "each-item", from, to: Number.POSITIVE_INFINITY, is: at("/items", true) },
    fails: all(isType("array"), { kind: "some-item", from, is: at("/items", false) }),
  };
}

/** `minContains` and `maxContains` have no effect without `contains`. */
export const contains: Keyword = {
  names: ["contains", "minContains", "maxContains", LEAVES_UNEVALUATED],
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

export const uniqueItems: Keyword = {
  names: ["uniqueItems"],
  parts: ({ schema }) => {
    if (schema.uniqueItems !== true) return [];
    return [
      {
        holds: { kind: "unique-items", holds: true },
        fails: all(isType("array"), { kind: "unique-items", holds: false }),
      },
    ];
  },
};
