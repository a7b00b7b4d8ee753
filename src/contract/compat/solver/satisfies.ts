import { isJsonObject } from "../../../base/json/value.js";
import { matchesFormat } from "./logic/formats.js";
import { type Constraint, type Formula, includesName } from "./logic/formula.js";
import { matchesPattern } from "./logic/patterns.js";
import { isEqual, isMultiple, valueSetOf } from "./logic/values.js";
import type { SolveContext } from "./types/type-solver.js";

/** Whether a value satisfies a constraint; undefined if unknown. */
export function satisfies(
  constraint: Constraint,
  value: unknown,
  context: SolveContext,
): boolean | undefined {
  if (constraint.kind === "opaque") return undefined;
  if (constraint.kind === "values") {
    return valueSetOf(constraint.values).has(value) === constraint.among;
  }
  if (typeof value === "number") return numberSatisfies(constraint, value);
  if (typeof value === "string") return textSatisfies(constraint, value, context);
  if (Array.isArray(value)) return arraySatisfies(constraint, value, context);
  if (isJsonObject(value)) return objectSatisfies(constraint, value, context);
  return true;
}

function numberSatisfies(constraint: Constraint, value: number): boolean | undefined {
  switch (constraint.kind) {
    case "minimum":
      return constraint.exclusive ? value > constraint.bound : value >= constraint.bound;
    case "maximum":
      return constraint.exclusive ? value < constraint.bound : value <= constraint.bound;
    case "multiple":
      return isMultiple(value, constraint.of) === constraint.holds;
    default:
      return true;
  }
}

function textSatisfies(constraint: Constraint, value: string, { step }: SolveContext): boolean {
  switch (constraint.kind) {
    case "length":
      return isWithin([...value].length, constraint);
    case "format":
      return matchesFormat(constraint.format, value) === constraint.holds;
    case "pattern":
      return matchesPattern(constraint.pattern, value, step) === constraint.holds;
    default:
      return true;
  }
}

function arraySatisfies(
  constraint: Constraint,
  value: readonly unknown[],
  context: SolveContext,
): boolean | undefined {
  switch (constraint.kind) {
    case "item-count":
      return isWithin(value.length, constraint);
    case "unique-items": {
      const isUnique = value.every((item, index) =>
        value.slice(index + 1).every((other) => !isEqual(item, other)),
      );
      return isUnique === constraint.holds;
    }
    case "each-item": {
      const { from, to, is } = constraint;
      return every(value.slice(from, to), (item) => isTrueOf(is, item, context));
    }
    case "some-item":
      return some(value.slice(constraint.from), (item) => isTrueOf(constraint.is, item, context));
    case "contains": {
      const { location } = constraint;
      const is: Formula = { kind: "schema", location, holds: true };
      const verdicts = value.map((item) => isTrueOf(is, item, context));
      if (verdicts.includes(undefined)) return undefined;
      return isWithin(verdicts.filter((verdict) => verdict === true).length, constraint);
    }
    default:
      return true;
  }
}

function objectSatisfies(
  constraint: Constraint,
  value: Readonly<Record<string, unknown>>,
  context: SolveContext,
): boolean | undefined {
  const names = Object.keys(value);
  switch (constraint.kind) {
    case "property-count":
      return isWithin(names.length, constraint);
    case "required":
      return names.includes(constraint.name);
    case "absent":
      return !names.includes(constraint.name);
    case "each-property": {
      const concerned = names.filter((name) => includesName(constraint.names, name, context.step));
      return every(concerned, (name) => isTrueOf(constraint.is, value[name], context));
    }
    case "some-property": {
      const concerned = names.filter((name) => includesName(constraint.names, name, context.step));
      return some(concerned, (name) => isTrueOf(constraint.is, value[name], context));
    }
    case "each-name":
      return every(names, (name) => isTrueOf(constraint.is, name, context));
    case "some-name":
      return some(names, (name) => isTrueOf(constraint.is, name, context));
    default:
      return true;
  }
}

function isTrueOf(is: Formula, value: unknown, { solve }: SolveContext): boolean | undefined {
  const { kind } = solve(is, { kind: "values", values: [value], among: true });
  return kind === "unknown" ? undefined : kind === "value";
}

function isWithin(
  count: number,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  return count >= min && count <= max;
}

function every<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean | undefined,
): boolean | undefined {
  const verdicts = items.map(test);
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function some<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean | undefined,
): boolean | undefined {
  const verdict = every(items, (item) => {
    const result = test(item);
    return result === undefined ? undefined : !result;
  });
  return verdict === undefined ? undefined : !verdict;
}
