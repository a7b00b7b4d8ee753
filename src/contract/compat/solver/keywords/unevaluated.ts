import type { SchemaLocation } from "../../schema/schema-set.js";
import { all, any, type Constraint, type Formula, isType, type Names } from "../logic/formula.js";
import { matchesPattern } from "../logic/patterns.js";
import { GivenUp } from "../logic/solution.js";
import { type Evaluated, findEvaluated } from "./evaluated.js";
import type { Keyword, Part } from "./keyword.js";

/** Limit on the patterns, or schemas of `contains`, that only some values evaluate: their subsets are told apart. */
const MAX_CONDITIONAL = 4;

type Name = "unevaluatedProperties" | "unevaluatedItems";

export const unevaluatedProperties = unevaluated("unevaluatedProperties", propertyParts);
export const unevaluatedItems = unevaluated("unevaluatedItems", itemParts);

/** The demands that remain on what is unevaluated; undefined if there are too many. */
type Parts = (evaluated: readonly Evaluated[], inside: Part) => readonly Part[] | undefined;

function unevaluated(name: Name, partsOf: Parts): Keyword {
  return {
    names: [name],
    parts: ({ location, at }) => {
      const evaluated = findEvaluated(location, name);
      const inside = { holds: at(`/${name}`, true), fails: at(`/${name}`, false) };
      try {
        return (evaluated && partsOf(evaluated, inside)) ?? [tooMany(name)];
      } catch (error) {
        // A pattern that takes too long.
        if (error instanceof GivenUp) return [tooMany(name)];
        throw error;
      }
    },
  };
}

/** Opaque, and equal to no other occurrence of the keyword. */
function tooMany(keyword: Name): Part {
  const opaque: Formula = { kind: "opaque", keyword, what: undefined };
  return { holds: opaque, fails: opaque };
}

function propertyParts(evaluated: readonly Evaluated[], inside: Part): readonly Part[] | undefined {
  const [sure, conditional] = split(evaluated);
  if (sure.some(({ allProperties }) => allProperties)) return [];
  const always = conditional.filter(({ allProperties }) => allProperties);
  const namesIn = (some: readonly Evaluated[]) => [...new Set(some.flatMap(({ names }) => names))];
  const patternsIn = (some: readonly Evaluated[]) => [
    ...new Set(some.flatMap(({ patterns }) => patterns)),
  ];
  const surePatterns = patternsIn(sure);
  const patterns = patternsIn(conditional).filter((each) => !surePatterns.includes(each));
  if (patterns.length > MAX_CONDITIONAL) return undefined;
  const sureNames = namesIn(sure);
  const isSure = (name: string): boolean =>
    sureNames.includes(name) || surePatterns.some((pattern) => matchesPattern(pattern, name));
  const names = namesIn(conditional).filter((name) => !isSure(name));
  const except = [...sureNames, ...names];
  const part = (concerned: Names, unless: readonly Evaluated[]): Part =>
    unlessAny([...always, ...unless], {
      holds: { kind: "each-property", names: concerned, is: inside.holds },
      fails: all(isType("object"), {
        kind: "some-property",
        names: concerned,
        is: inside.fails,
      }),
    });
  return [
    ...names.map((name) => {
      const isMatched = (pattern: string): boolean => matchesPattern(pattern, name);
      const unless = conditional.filter(
        (each) => each.names.includes(name) || each.patterns.some(isMatched),
      );
      return part({ only: [name] }, unless);
    }),
    ...subsetsOf(patterns).map((matching) => {
      const others = patterns.filter((each) => !matching.includes(each));
      const unless = conditional.filter((each) =>
        each.patterns.some((pattern) => matching.includes(pattern)),
      );
      return part({ except, matching, notMatching: [...surePatterns, ...others] }, unless);
    }),
  ];
}

function itemParts(evaluated: readonly Evaluated[], inside: Part): readonly Part[] | undefined {
  const [sure, conditional] = split(evaluated);
  if (sure.some(({ allItems }) => allItems)) return [];
  const always = conditional.filter(({ allItems }) => allItems);
  const contained = conditional.filter((each) => each.contained !== undefined);
  if (contained.length > MAX_CONDITIONAL) return undefined;
  const lengthOf = (some: readonly Evaluated[]) => Math.max(0, ...some.map(({ items }) => items));
  const [from, to] = [lengthOf(sure), lengthOf(evaluated)];
  /** The demand on some items, one way for each set of schemas of `contains` that may apply. */
  const part = (range: Range, unless: readonly Evaluated[]): Part => {
    const ways = subsetsOf(contained).map((some): Part => {
      const schemas = [...sure, ...some].flatMap((each) => each.contained ?? []);
      const item: Part = {
        holds: any(inside.holds, ...schemas.map((location) => validity(location, true))),
        fails: all(inside.fails, ...schemas.map((location) => validity(location, false))),
      };
      const conditions = some.flatMap(({ when }) => when);
      return {
        holds: all(...conditions.map(({ holds }) => holds), eachItem(range, item)),
        fails: any(...conditions.map(({ fails }) => fails), someItem(range, item)),
      };
    });
    return unlessAny([...always, ...unless], {
      holds: any(...ways.map(({ holds }) => holds)),
      fails: all(isType("array"), ...ways.map(({ fails }) => fails)),
    });
  };
  const indices = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return [
    ...indices.map((index) =>
      part(
        { from: index, to: index + 1 },
        conditional.filter(({ items }) => items > index),
      ),
    ),
    part({ from: Math.max(from, to), to: Number.POSITIVE_INFINITY }, []),
  ];
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function eachItem(range: Range, { holds }: Part): Constraint {
  return { kind: "each-item", ...range, is: holds };
}

function someItem({ from, to }: Range, { fails }: Part): Formula {
  if (to === Number.POSITIVE_INFINITY) return { kind: "some-item", from, is: fails };
  return all(
    { kind: "item-count", min: to, max: Number.POSITIVE_INFINITY },
    { kind: "each-item", from, to, is: fails },
  );
}

/** What always applies, and what applies to some values only. */
function split(evaluated: readonly Evaluated[]): readonly [Evaluated[], Evaluated[]] {
  const isSure = ({ when }: Evaluated): boolean => when.length === 0;
  return [evaluated.filter(isSure), evaluated.filter((each) => !isSure(each))];
}

/** A demand that is void if one of some schemas applies. */
function unlessAny(evaluated: readonly Evaluated[], { holds, fails }: Part): Part {
  const outer = outermost(evaluated.map(({ when }) => when));
  return {
    holds: any(holds, ...outer.map((when) => all(...when.map((each) => each.holds)))),
    fails: all(fails, ...outer.map((when) => any(...when.map((each) => each.fails)))),
  };
}

/** Without those that imply another one: what applies inside a schema says nothing if the schema itself is enough. */
function outermost(all: readonly Evaluated["when"][]): readonly Evaluated["when"][] {
  const kept: Evaluated["when"][] = [];
  for (const when of all.toSorted((one, other) => one.length - other.length)) {
    if (!kept.some((known) => known.every((part) => when.includes(part)))) kept.push(when);
  }
  return kept;
}

function validity(location: SchemaLocation, holds: boolean): Formula {
  return { kind: "schema", location, holds };
}

/** All subsets of a list, the empty one included. */
function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  const subsets: Item[][] = [[]];
  for (const item of items) subsets.push(...subsets.map((each) => [...each, item]));
  return subsets;
}
