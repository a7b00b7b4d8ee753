import type { Occurrence } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import type { FoundChange } from "../rule.js";
import { failsAny } from "./violations.js";

/** Types that have no value in common; a number is an integer or a fraction. */
const ATOMS = ["null", "boolean", "integer", "fraction", "string", "array", "object"] as const;
type Atom = (typeof ATOMS)[number];

/** How the JSON types differ that may stand at a place. */
export interface TypeChange {
  readonly older: readonly Occurrence[];
  readonly newer: readonly Occurrence[];
  readonly lost: readonly Atom[];
  readonly gained: readonly Atom[];
}

/** The change of `type` at a place; undefined when the same types may stand there. */
export function typeChangeOf(pair: PlacePair): TypeChange | undefined {
  const [older, newer] = [pair.old.occurrences("type"), pair.new.occurrences("type")];
  const [olds, news] = [atomsOf(older), atomsOf(newer)];
  const lost = olds.filter((atom) => !news.includes(atom));
  const gained = news.filter((atom) => !olds.includes(atom));
  return lost.length + gained.length === 0 ? undefined : { older, newer, lost, gained };
}

/** Whether one version allows whole numbers only, of all numbers. */
export function isWhole(pair: PlacePair): boolean {
  return [pair.old, pair.new].some(
    (place) => !atomsOf(place.occurrences("type")).includes("fraction"),
  );
}

export function toTypeFinding({ older, newer }: TypeChange, message: string): FoundChange {
  const said = `${message}: was ${describe(older)}, is ${describe(newer)}`;
  return {
    old: older[0],
    new: newer[0],
    message: said,
    says: { old: atomsOf(older), new: atomsOf(newer) },
    violates: { backward: failsAny(newer), forward: failsAny(older) },
    breaksSource: {
      // An integer is a number there.
      ...(!isSameInTypeScript(older, newer) && {
        typescript: `the type is another one: was ${describe(older)}, is ${describe(newer)}`,
      }),
      python: `the annotation is another one: was ${describe(older)}, is ${describe(newer)}`,
    },
  };
}

function isSameInTypeScript(older: readonly Occurrence[], newer: readonly Occurrence[]): boolean {
  const describeAll = (some: readonly Occurrence[]): string =>
    describe(some).replaceAll("integer", "number");
  return describeAll(older) === describeAll(newer);
}

function describe(occurrences: readonly Occurrence[]): string {
  const atoms = atomsOf(occurrences);
  if (atoms.length === ATOMS.length) return "any";
  const names = atoms.filter((atom) => atom !== "fraction");
  const shown = atoms.includes("fraction")
    ? names.map((name) => (name === "integer" ? "number" : name))
    : names;
  return shown.length === 0 ? "nothing" : shown.join(" or ");
}

function atomsOf(occurrences: readonly Occurrence[]): readonly Atom[] {
  return occurrences.reduce<readonly Atom[]>((left, { value }) => {
    const names: unknown[] = Array.isArray(value) ? value : [value];
    return left.filter(
      (atom) =>
        names.includes(atom) ||
        (names.includes("number") && (atom === "integer" || atom === "fraction")),
    );
  }, ATOMS);
}
