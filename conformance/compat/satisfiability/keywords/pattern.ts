import { all, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

export const pattern: Keyword = {
  names: ["pattern"],
  parts: ({ schema }) => {
    const match = { kind: "pattern", pattern: String(schema.pattern) } as const;
    return [
      {
        holds: { ...match, holds: true },
        fails: all(isType("string"), { ...match, holds: false }),
      },
    ];
  },
};
