import { all, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

export const pattern: Keyword = {
  names: ["pattern"],
  holds: ({ schema }) => [{ kind: "pattern", pattern: String(schema.pattern), holds: true }],
  fails: ({ schema }) => [
    all(isType("string"), { kind: "pattern", pattern: String(schema.pattern), holds: false }),
  ],
};
