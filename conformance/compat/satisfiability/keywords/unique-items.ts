import { all, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

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
