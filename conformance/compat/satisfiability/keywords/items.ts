import { all, isType } from "../formula.js";
import type { Keyword, KeywordContext, Part } from "./keyword.js";

/** `items` is about what `prefixItems` leaves over. */
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
