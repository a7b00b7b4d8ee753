import type { BrokenKeyword } from "./ajv/ajv.js";
import { validatorOf } from "./ajv/ajv.js";
import type { Change, Effect, Effects } from "./change.js";
import type { Mentioned, Rule } from "./rules/rule.js";
import type { Direction, SchemaLocation } from "./schema/schema-set.js";

/** Explains a verdict that no change at a matched place explains. It is never searched for. */
export const unmatched: Rule = {
  id: "U1",
  name: "elsewhere",
  summary: "Something changed at a place that has no counterpart in the other version.",
  fix: "look at the witness, or at the reason why it is undecided",
  find: () => [],
};

/** A change of what the verdict does not show: it is compared by itself. */
export const covered: Rule = {
  id: "X8",
  name: "covered",
  summary: "A member of a union changed, and other members accept all its values.",
  fix: "treat it as a break of this member, or remove the member that accepts all",
  find: () => [],
};

/** A change of a definition that no record reaches, compared by itself. */
export const unused: Rule = {
  id: "F4",
  name: "unused-definition-changed",
  summary: "A definition changed that nothing refers to.",
  fix: "remove the definition, or refer to it",
  find: () => [],
};

export const acceptsNothing: Rule = {
  id: "T6",
  name: "accepts-nothing",
  summary: "No record at all is valid: the constraints contradict each other.",
  fix: "remove the constraint that contradicts the others",
  find: () => [],
};

/** The rules about whole types. */
export const wholeRules: readonly Rule[] = [unused, acceptsNothing, unmatched, covered];

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

/** The change that leaves no valid record. `effects`: those of the whole type. */
export function toEmptyChange({
  name,
  ...change
}: Pick<Change, "around" | "effects"> & { readonly name: string }): Change {
  const message = "accepts no record at all";
  return { ...change, rule: acceptsNothing, types: [name], path: [], message };
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
  return `${broken.pointer} ${broken.message}`.trim();
}
