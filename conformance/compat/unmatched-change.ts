import { describeError } from "../../src/json/schema-error.js";
import type { Change, Effects } from "./change.js";
import type { Comparison } from "./compare.js";
import type { BrokenKeyword } from "./compile-schema.js";
import type { Direction } from "./direction.js";
import { judgeOf } from "./judge-of.js";
import type { Mentioned, Rule } from "./rules/rule.js";
import type { SchemaLocation } from "./schema-set.js";

/** What is left when no change at a place that both versions speak of explains a verdict. */
export const unmatched: Rule = {
  id: "U1",
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
  const side = direction === "backward" ? "new" : "old";
  const [broken] =
    whole.verdict === "breaking" ? judgeOf(around[side]).errorsOf(whole.witness) : [];
  return {
    rule: unmatched,
    types: [name],
    path: [],
    around,
    [side]: toMentioned(broken),
    message: describe(whole, broken),
    effects: { validate: only(whole), "declared-writer": only(declared) },
  };
}

function toMentioned(broken: BrokenKeyword | undefined): Mentioned | undefined {
  const { location, keyword = "" } = broken ?? {};
  if (location === undefined || typeof location.schema === "boolean") return undefined;
  return { location: { ...location, schema: location.schema }, keyword };
}

function describe(comparison: Comparison, broken: BrokenKeyword | undefined): string {
  if (comparison.verdict === "compatible") return "is compatible";
  if (comparison.verdict === "undecided") return comparison.because;
  if (broken === undefined) return "is rejected";
  return `${broken.pointer} ${describeError(broken, comparison.witness)}`.trim();
}
