import type { DiffFinding } from "#generated/index.js";
import { LENSES, type Lens } from "../../compat/change.js";
import { SOURCES } from "../../compat/rules/rule.js";
import { DIRECTIONS, type Direction } from "../../compat/schema-set.js";
import type { OptionValues } from "../option-values.js";

/** What the user wants to be told of as an error. */
export interface Choice {
  readonly lenses: readonly Lens[];
  readonly directions: readonly Direction[];
}

export function readChoice(options: OptionValues): Choice {
  const [lenses, directions] = [options.texts("lens"), options.texts("direction")];
  return {
    lenses: LENSES.filter((lens) => lenses.includes(lens)),
    directions: DIRECTIONS.filter((direction) => directions.includes(direction)),
  };
}

export function isChosen({ lens, direction }: DiffFinding, choice: Choice): boolean {
  return choice.lenses.includes(lens) && directionsOf(lens, choice).includes(direction);
}

/** Code is written for the old types and compiled with the new ones: there is no other direction. */
export function directionsOf(lens: Lens, { directions }: Choice): readonly Direction[] {
  return SOURCES.some((source) => source === lens) ? ["backward"] : directions;
}
