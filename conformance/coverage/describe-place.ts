import type { Definitions } from "../schemas/link-definitions.js";
import { followPath } from "./follow-path.js";

/** How a place in a record is called. */
export interface PlaceWords {
  /** For names of cases, the nearest first; as many more as are needed to be unambiguous. */
  readonly names: readonly string[];
  /** For the beginning of a sentence. */
  readonly phrase: string;
  /** What the schema says of it, as a clause that goes on after a colon; "" when it says nothing. */
  readonly meaning: string;
}

/** Finds the words for the place at `path` in a record of `type`. */
export function describePlace(
  type: string,
  path: readonly string[],
  definitions: Definitions,
): PlaceWords {
  const route = followPath(type, path, definitions);
  const steps = route?.steps ?? [];
  const names = path.filter((_, index) => steps[index]?.kind !== "item");
  const isItem = steps.at(-1)?.kind === "item";
  const whole = names.length === 0 ? `The ${type}` : names.join(".");
  // What the whole record is needs no saying.
  const nodes = path.length === 0 ? [] : (route?.nodes ?? []);
  const described = nodes.find(({ description }) => description !== undefined);
  return {
    names: [
      `${names.at(-1) ?? type}${isItem ? " item" : ""}`,
      ...names.toReversed().slice(1),
      type,
    ],
    phrase: isItem ? `An item of ${whole}` : whole,
    meaning: toClause(described?.description ?? ""),
  };
}

/** The first sentence of a description, as it goes on after a colon. */
function toClause(description: string): string {
  const [sentence = ""] = description.split(/(?<=[.;])\s/);
  const clause = sentence.replace(/[.;]$/, "");
  // A word with a number, such as Layer 1, is a name; so is one with capitals inside.
  const isPlainWord = /^[A-Z][a-z]*('s)?[ ,:]/.test(clause) && !/^\w+ \d/.test(clause);
  return isPlainWord ? `${clause.charAt(0).toLowerCase()}${clause.slice(1)}` : clause;
}
