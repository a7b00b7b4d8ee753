import { EXIT, type ExitCode } from "../../../base/user-error.js";
import { isSource, type Lens } from "../change.js";
import { type Verdict, type VersionComparison, worstOf } from "../compare-versions.js";
import type { Break } from "../findings.js";
import type { Direction } from "../schema/schema-set.js";

/** Which findings are errors, as chosen by the user. */
export interface Choice {
  readonly lenses: readonly Lens[];
  readonly directions: readonly Direction[];
}

export function isChosen({ lens, direction }: Break, choice: Choice): boolean {
  return choice.lenses.includes(lens) && directionsOf(lens, choice).includes(direction);
}

/** Source code breaks in one direction only: it is written for the old types and compiled against the new ones. */
export function directionsOf(lens: Lens, { directions }: Choice): readonly Direction[] {
  return isSource(lens) ? ["backward"] : directions;
}

/** Whether a schema breaks, or may break, by the verdicts that the user chose. */
export function mayBreak(comparison: VersionComparison, choice: Choice): boolean {
  return toExitCode([comparison], choice) !== EXIT.ok;
}

/** The exit code by the verdicts that the user chose; of several schemas, the worst. */
export function toExitCode(comparisons: readonly VersionComparison[], choice: Choice): ExitCode {
  return EXIT_CODES[chosenVerdict(comparisons, choice)];
}

const EXIT_CODES = {
  breaking: EXIT.findings,
  undecided: EXIT.undecided,
  compatible: EXIT.ok,
} as const satisfies Readonly<Record<Verdict, ExitCode>>;

/** The worst of the verdicts that the user chose. */
export function chosenVerdict(comparisons: readonly VersionComparison[], choice: Choice): Verdict {
  return worstOf(
    comparisons.flatMap(({ lenses }) =>
      choice.lenses.flatMap((lens) =>
        directionsOf(lens, choice).map((direction) => lenses[lens][direction]),
      ),
    ),
  );
}

/** The worst verdict on one direction by the modes that the user chose. */
export function directionVerdict(
  { lenses }: VersionComparison,
  direction: Direction,
  choice: Choice,
): Verdict {
  return worstOf(choice.lenses.map((lens) => lenses[lens][direction]));
}
