import { isFormat } from "../formats.js";
import { all, type Formula, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

/** Of texts alone: what asserts something of numbers, or is not known, nobody models. */
export const format: Keyword = {
  names: ["format"],
  parts: ({ schema, location }) => {
    if (location.set.format === "annotate") return [];
    const format = String(schema.format);
    if (!isFormat(format)) {
      const opaque: Formula = { kind: "opaque", keyword: "format", what: format };
      return [{ holds: opaque, fails: opaque }];
    }
    const constraint = { kind: "format", format } as const;
    return [
      {
        holds: { ...constraint, holds: true },
        fails: all(isType("string"), { ...constraint, holds: false }),
      },
    ];
  },
};
