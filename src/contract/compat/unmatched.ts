import { describeError } from "../../base/json/schema-error.js";
import type { BrokenKeyword } from "./ajv/ajv.js";
import type { Change, Effect, Effects } from "./change.js";
import type { Mentioned, Rule } from "./rules/rule.js";
import type { Direction, SchemaLocation } from "./schema/schema-set.js";
import { validatorOf } from "./validators.js";

/** Explains a verdict that no change at a matched place explains. It is never searched for. */
export const unmatched: Rule = {
  id: "U1",
  name: "elsewhere",
  summary: "Something changed at a place that has no counterpart in the other version.",
  fix: "look at the witness, or at the reason why it is undecided",
  find: () => [],
};

const MISSING: Readonly<Record<Direction, string>> = {
  backward: "is no longer a record type",
  forward: "is now a record type",
};

/** The change that represents a whole verdict. */
export function toUnmatchedChange(found: {
  readonly name: string;
  readonly direction: Direction;
  readonly around: { readonly old: SchemaLocation; readonly new: SchemaLocation };
  readonly whole: Effect;
  readonly declared: Effect;
  /** Whether both versions have the type. */
  readonly isMatched: boolean;
}): Change {
  const { name, direction, around, whole, declared, isMatched } = found;
  const only = (containment: Effect): Effects => ({
    backward: { verdict: "compatible" },
    forward: { verdict: "compatible" },
    [direction]: containment,
  });
  const side = direction === "backward" ? "new" : "old";
  const [broken] =
    whole.verdict === "breaking" ? validatorOf(around[side]).errorsOf(whole.witness) : [];
  return {
    rule: unmatched,
    types: [name],
    path: [],
    around,
    [side]: toMentioned(broken),
    message: isMatched ? describe(whole, broken) : MISSING[direction],
    effects: { validate: only(whole), "declared-writer": only(declared) },
  };
}

function toMentioned(broken: BrokenKeyword | undefined): Mentioned | undefined {
  const { location, keyword = "" } = broken ?? {};
  if (location === undefined || typeof location.schema === "boolean") return undefined;
  return { location: { ...location, schema: location.schema }, keyword };
}

function describe(containment: Effect, broken: BrokenKeyword | undefined): string {
  if (containment.verdict === "compatible") return "is compatible";
  if (containment.verdict === "undecided") return containment.because;
  if (broken === undefined) return "is rejected";
  return `${broken.pointer} ${describeError(broken, containment.witness)}`.trim();
}
