import { EXIT, type ExitCode } from "../../base/user-error.js";
import { isSource, LENSES, type Lens } from "../../contract/compat/change.js";
import type { VersionComparison } from "../../contract/compat/compare-versions.js";
import type { Break } from "../../contract/compat/findings.js";
import { DIRECTIONS, type Direction } from "../../contract/compat/schema/schema-set.js";
import type { OptionValues } from "../command.js";

/** Which findings are errors, as chosen by the user. */
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

export function isChosen({ lens, direction }: Break, choice: Choice): boolean {
  return choice.lenses.includes(lens) && directionsOf(lens, choice).includes(direction);
}

/** Source code breaks in one direction only: it is written for the old types and compiled against the new ones. */
export function directionsOf(lens: Lens, { directions }: Choice): readonly Direction[] {
  return isSource(lens) ? ["backward"] : directions;
}

/** The exit code by the verdicts that the user chose; of several schemas, the worst. */
export function toExitCode(comparisons: readonly VersionComparison[], choice: Choice): ExitCode {
  const verdicts = comparisons.flatMap(({ lenses }) =>
    choice.lenses.flatMap((lens) =>
      directionsOf(lens, choice).map((direction) => lenses[lens][direction]),
    ),
  );
  if (verdicts.includes("breaking")) return EXIT.findings;
  return verdicts.includes("undecided") ? EXIT.undecided : EXIT.ok;
}
