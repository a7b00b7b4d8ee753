import { all, type Formula, isType } from "../formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";

/** `items` is about what `prefixItems` leaves over. */
export const items: Keyword = {
  names: ["prefixItems", "items"],
  holds: (context) => [
    ...prefix(context).map((index): Formula => {
      const is = context.at(`/prefixItems/${index}`, true);
      return { kind: "each-item", from: index, to: index + 1, is };
    }),
    ...rest(context).map((from): Formula => {
      return {
        kind: "each-item",
        from,
        to: Number.POSITIVE_INFINITY,
        is: context.at("/items", true),
      };
    }),
  ],
  fails: (context) => [
    ...prefix(context).map((index) =>
      all(
        isType("array"),
        { kind: "item-count", min: index + 1, max: Number.POSITIVE_INFINITY },
        {
          kind: "each-item",
          from: index,
          to: index + 1,
          is: context.at(`/prefixItems/${index}`, false),
        },
      ),
    ),
    ...rest(context).map((from) =>
      all(isType("array"), { kind: "some-item", from, is: context.at("/items", false) }),
    ),
  ],
};

function prefix({ schema }: KeywordContext): number[] {
  return Array.isArray(schema.prefixItems) ? [...schema.prefixItems.keys()] : [];
}

/** Where `items` begins, if it is there. */
function rest(context: KeywordContext): number[] {
  return context.schema.items === undefined ? [] : [prefix(context).length];
}
