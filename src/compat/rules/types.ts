import type { Occurrence, PlacePair } from "../places/place.js";
import { ALWAYS } from "../solver/formula.js";
import { type FoundChange, failsAny, type Rule } from "./rule.js";

export const everythingOrNothing: Rule = {
  id: "T5",
  name: "everything-or-nothing",
  summary: "A schema became false, so that nothing is valid, or is false no longer.",
  mend: "keep the schema, or release a new version of the format",
  find({ old: before, new: after }) {
    if ((before.never === undefined) === (after.never === undefined)) return [];
    return [
      {
        message: after.never === undefined ? "allows something now" : "allows nothing any more",
        violates: after.never === undefined ? { forward: ALWAYS } : { backward: ALWAYS },
      },
    ];
  },
};

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

export const typeNarrowed: Rule = {
  id: "T1",
  name: "type-narrowed",
  summary: "A type can no longer stand here.",
  mend: "keep the type, or release a new version of the format",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer, lost, gained } = change;
    return older.length > 0 && newer.length > 0 && lost.length > 0 && gained.length === 0
      ? [toTypeFinding(change, "allows fewer types")]
      : [];
  },
};

export const typeWidened: Rule = {
  id: "T2",
  name: "type-widened",
  summary: "Another type can stand here as well.",
  mend: "let readers take the new type before any writer uses it",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer, lost } = change;
    return older.length > 0 && newer.length > 0 && lost.length === 0
      ? [toTypeFinding(change, "allows more types")]
      : [];
  },
};

export const typeChanged: Rule = {
  id: "T3",
  name: "type-changed",
  summary: "Other types can stand here.",
  mend: "add a field of another name, and keep the old one",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer, lost, gained } = change;
    return older.length > 0 && newer.length > 0 && lost.length > 0 && gained.length > 0
      ? [toTypeFinding(change, "allows other types")]
      : [];
  },
};

export const typeAddedOrRemoved: Rule = {
  id: "T4",
  name: "type-added-or-removed",
  summary: "A type is demanded where there was none, or no longer.",
  mend: "keep the type as it was, or release a new version of the format",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer } = change;
    return older.length === 0 || newer.length === 0
      ? [toTypeFinding(change, "has a type or has none")]
      : [];
  },
};
