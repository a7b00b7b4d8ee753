import { all, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

export const uniqueItems: Keyword = {
  names: ["uniqueItems"],
  holds: ({ schema }) =>
    schema.uniqueItems === true ? [{ kind: "unique-items", holds: true }] : [],
  fails: ({ schema }) =>
    schema.uniqueItems === true
      ? [all(isType("array"), { kind: "unique-items", holds: false })]
      : [],
};
