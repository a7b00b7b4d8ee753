import type { DiffFinding } from "#generated/index.js";
import { DIRECTIONS, type Direction } from "../../../conformance/compat/direction.js";
import { LENSES, type Lens } from "../../../conformance/compat/lens.js";
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
  return choice.lenses.includes(lens) && choice.directions.includes(direction);
}
