import type { Occurrence, PlacePair } from "../places/place.js";
import { ALWAYS, all, type Formula, isType } from "../solver/logic/formula.js";
import type { FoundChange, Rule } from "./rule.js";
import { failsAny } from "./violations.js";

export const typeRules: readonly Rule[] = [
  {
    id: "T1",
    name: "type-narrowed",
    summary: "Fewer types are allowed.",
    fix: "keep the type, or release a new version of the format",
    find: (pair) => findKind(pair, "narrowed", "allows fewer types"),
  },
  {
    id: "T2",
    name: "type-widened",
    summary: "More types are allowed.",
    fix: "update readers to accept the new type before any writer uses it",
    find: (pair) => findKind(pair, "widened", "allows more types"),
  },
  {
    id: "T3",
    name: "type-changed",
    summary: "Different types are allowed.",
    fix: "add a property with another name, and keep the old one",
    find: (pair) => findKind(pair, "changed", "allows other types"),
  },
  {
    id: "T4",
    name: "type-added-or-removed",
    summary: "A `type` was added or removed.",
    fix: "keep the type as it was, or release a new version of the format",
    find: (pair) => findKind(pair, "added or removed", "has a type in one version only"),
  },
  {
    id: "T5",
    name: "everything-or-nothing",
    summary: "A schema became `false`, which rejects everything, or is no longer `false`.",
    fix: "keep the schema, or release a new version of the format",
    find: findNever,
  },
];

type Kind = "narrowed" | "widened" | "changed" | "added or removed";

function findKind(pair: PlacePair, kind: Kind, message: string): FoundChange[] {
  const [older, newer] = [pair.old.occurrences("type"), pair.new.occurrences("type")];
  if (kindOf(older, newer) !== kind) return [];
  const change = `was ${describe(older)}, is ${describe(newer)}`;
  return [
    {
      old: older[0],
      new: newer[0],
      message: `${message}: ${change}`,
      contract: { old: atomsOf(older), new: atomsOf(newer) },
      violates: { backward: failsAny(newer), forward: failsAny(older) },
      breaksSource: {
        ...(!isSameInTypeScript(older, newer) && { typescript: `the type changed: ${change}` }),
        python: `the annotation changed: ${change}`,
      },
    },
  ];
}

/** Undefined if the same types are allowed. */
function kindOf(older: readonly Occurrence[], newer: readonly Occurrence[]): Kind | undefined {
  const [olds, news] = [atomsOf(older), atomsOf(newer)];
  const isLost = olds.some((atom) => !news.includes(atom));
  const isGained = news.some((atom) => !olds.includes(atom));
  if (!isLost && !isGained) return undefined;
  if (older.length === 0 || newer.length === 0) return "added or removed";
  if (isLost) return isGained ? "changed" : "narrowed";
  return "widened";
}

function findNever({ old: before, new: after }: PlacePair): FoundChange[] {
  if ((before.never === undefined) === (after.never === undefined)) return [];
  return after.never === undefined
    ? [{ message: "no longer rejects everything", violates: { forward: ALWAYS } }]
    : [{ message: "now rejects everything", violates: { backward: ALWAYS } }];
}

/** Whether one version allows whole numbers only, of all numbers. */
export function isWhole(pair: PlacePair): boolean {
  return [pair.old, pair.new].some(
    (place) => !atomsOf(place.occurrences("type")).includes("fraction"),
  );
}

/** Disjoint types: a number is an integer or a fraction. */
export const ATOMS = [
  "null",
  "boolean",
  "integer",
  "fraction",
  "string",
  "array",
  "object",
] as const;
export type Atom = (typeof ATOMS)[number];

/** The values of such a type. */
export function hasAtom(atom: Atom): Formula {
  if (atom !== "integer" && atom !== "fraction") return isType(atom);
  return all(isType("number"), { kind: "multiple", of: 1, holds: atom === "integer" });
}

export function atomsOf(occurrences: readonly Occurrence[]): readonly Atom[] {
  return occurrences.reduce<readonly Atom[]>((left, { value }) => {
    const names: unknown[] = Array.isArray(value) ? value : [value];
    return left.filter(
      (atom) =>
        names.includes(atom) ||
        (names.includes("number") && (atom === "integer" || atom === "fraction")),
    );
  }, ATOMS);
}

/** TypeScript has no integers, only numbers. */
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
