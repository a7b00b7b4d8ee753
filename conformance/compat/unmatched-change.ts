import { describeError } from "../../src/records/describe-error.js";
import type { Change, Effects } from "./change.js";
import type { Comparison } from "./compare.js";
import type { Direction } from "./direction.js";
import type { Mentioned, Rule } from "./rules/rule.js";
import type { SchemaLocation } from "./schema-set.js";

/** What is left when no change at a place that both versions speak of explains a verdict. */
export const unmatched: Rule = {
  id: "F1",
  name: "elsewhere",
  summary: "Something changed at a place that has no counterpart in the other version.",
  mend: "see the record, or what could not be decided",
  find: () => [],
};

export function toUnmatchedChange(found: {
  readonly name: string;
  readonly direction: Direction;
  readonly around: { readonly old: SchemaLocation; readonly new: SchemaLocation };
  readonly whole: Comparison;
  readonly declared: Comparison;
}): Change {
  const { name, direction, around, whole, declared } = found;
  const only = (comparison: Comparison): Effects => ({
    backward: { verdict: "compatible" },
    forward: { verdict: "compatible" },
    [direction]: comparison,
  });
  return {
    rule: unmatched,
    types: [name],
    path: [],
    around,
    [direction === "backward" ? "new" : "old"]: brokenKeyword(whole),
    message: describe(whole),
    effects: { validate: only(whole), "declared-writer": only(declared) },
  };
}

function brokenKeyword(comparison: Comparison): Mentioned | undefined {
  const [first] = comparison.verdict === "breaking" ? comparison.broken : [];
  if (first?.location === undefined || typeof first.location.schema === "boolean") return undefined;
  const { schema } = first.location;
  return { location: { ...first.location, schema }, keyword: first.keyword };
}

function describe(comparison: Comparison): string {
  if (comparison.verdict === "compatible") return "is compatible";
  if (comparison.verdict === "undecided") return comparison.because;
  const { broken, witness } = comparison;
  return broken[0] === undefined
    ? "is rejected"
    : `${broken[0].pointer} ${describeError(broken[0], witness)}`.trim();
}
