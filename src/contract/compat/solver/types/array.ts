import canonicalize from "canonicalize";
import type { Constraint, Formula } from "../logic/formula.js";
import { found, NONE, type Solution, unknown } from "../logic/solution.js";
import { isEqual } from "../logic/values.js";
import {
  countRange,
  excludedValues,
  findValues,
  ofKind,
  type SolveContext,
} from "./type-solver.js";

type Wish = Extract<Constraint, { readonly kind: "some-item" }>;
type Contains = Extract<Constraint, { readonly kind: "contains" }>;

/** Limit on the length of arrays. */
const MAX_LENGTH = 1000;

/** The same for arrays whose items must all differ. */
const MAX_DIFFERENT = 40;

export function solveArray(constraints: readonly Constraint[], context: SolveContext): Solution {
  const { min, max } = countRange(constraints, "item-count");
  if (min > max) return NONE;
  const uniqueness = ofKind(constraints, "unique-items");
  const isUnique = uniqueness.some(({ holds }) => holds);
  const hasTwins = uniqueness.some(({ holds }) => !holds);
  if (isUnique && hasTwins) return NONE;
  const contains = ofKind(constraints, "contains");
  if (contains.some(({ min, max }) => min > max)) return NONE;
  const wishes = ofKind(constraints, "some-item");
  const ends = ofKind(constraints, "each-item").map(({ from, to }) =>
    Number.isFinite(to) ? to : from,
  );
  const starts = wishes.map(({ from }) => from);
  // After these positions all items are alike, so extra items change nothing.
  const concerned = Math.max(0, ...ends, ...starts);
  const wished = contains.reduce((sum, { min }) => sum + min, wishes.length) + (hasTwins ? 2 : 0);
  const longest = Math.min(max, Math.max(min, concerned + wished) + excludedArrays(constraints));
  let undecided: Solution | undefined;
  if (longest > MAX_LENGTH) undecided = unknown(`arrays of more than ${MAX_LENGTH} items`);
  for (let length = min; length <= Math.min(longest, MAX_LENGTH); length += 1) {
    const solution = new Attempt(constraints, context, length, { isUnique, hasTwins }).solve(
      wishes,
    );
    if (solution.kind === "value") return solution;
    if (solution.kind === "unknown") undecided = solution;
  }
  return undecided ?? NONE;
}

function excludedArrays(constraints: readonly Constraint[]): number {
  return excludedValues(constraints).filter(Array.isArray).length;
}

/** Arrays of one length. */
class Attempt {
  readonly #constraints: readonly Constraint[];
  readonly #context: SolveContext;
  readonly #length: number;
  readonly #isUnique: boolean;
  readonly #hasTwins: boolean;
  #undecidedBecause: string | undefined;

  constructor(
    constraints: readonly Constraint[],
    context: SolveContext,
    length: number,
    { isUnique, hasTwins }: { readonly isUnique: boolean; readonly hasTwins: boolean },
  ) {
    this.#constraints = constraints;
    this.#context = context;
    this.#length = length;
    this.#isUnique = isUnique;
    this.#hasTwins = hasTwins;
  }

  solve(wishes: readonly Wish[]): Solution {
    const items = Array.from({ length: this.#length }, (_, index) => this.#demandsOf(index));
    const solution = this.#grant(wishes, items, this.#twins());
    if (solution !== undefined) return found(solution);
    return this.#undecidedBecause === undefined ? NONE : unknown(this.#undecidedBecause);
  }

  /** Pairs of items that must be equal; a single undefined if none must. */
  #twins(): readonly (readonly [number, number] | undefined)[] {
    if (!this.#hasTwins) return [undefined];
    const indices = [...Array(this.#length).keys()];
    return indices.flatMap((one) => indices.slice(one + 1).map((other) => [one, other] as const));
  }

  #demandsOf(index: number): readonly Formula[] {
    return ofKind(this.#constraints, "each-item")
      .filter(({ from, to }) => index >= from && index < to)
      .map(({ is }) => is);
  }

  /** Tries every item for each wish. */
  #grant(
    [wish, ...others]: readonly Wish[],
    items: readonly (readonly Formula[])[],
    twins: readonly (readonly [number, number] | undefined)[],
  ): unknown[] | undefined {
    this.#context.step();
    if (wish === undefined) {
      for (const pair of twins) {
        const solution = this.#limit(ofKind(this.#constraints, "contains"), items, pair);
        if (solution !== undefined) return solution;
      }
      return undefined;
    }
    for (let index = wish.from; index < items.length; index += 1) {
      const demands = [...(items[index] ?? []), wish.is];
      if (this.#context.solve(...demands).kind === "none") continue;
      const solution = this.#grant(others, items.with(index, demands), twins);
      if (solution !== undefined) return solution;
    }
    return undefined;
  }

  /** For each `contains`, tries which items are valid under its schema. */
  #limit(
    contains: readonly Contains[],
    items: readonly (readonly Formula[])[],
    twins: readonly [number, number] | undefined,
  ): unknown[] | undefined {
    const [first, ...others] = contains;
    if (first === undefined) return this.#fill(items, twins);
    const { location, min, max } = first;
    const isLimited = Number.isFinite(max);
    for (const valid of this.#choices(items.length, min, isLimited ? max : min)) {
      const decided = items.map((demands, index): readonly Formula[] => {
        const holds = valid.has(index);
        return holds || isLimited ? [...demands, { kind: "schema", location, holds }] : demands;
      });
      const solution = this.#limit(others, decided, twins);
      if (solution !== undefined) return solution;
    }
    return undefined;
  }

  /** Sets of at least `min` and at most `max` indices. */
  *#choices(
    length: number,
    min: number,
    max: number,
    chosen: readonly number[] = [],
  ): Generator<ReadonlySet<number>> {
    this.#context.step();
    if (chosen.length >= min) yield new Set(chosen);
    if (chosen.length === max) return;
    for (let index = (chosen.at(-1) ?? -1) + 1; index < length; index += 1) {
      yield* this.#choices(length, min, max, [...chosen, index]);
    }
  }

  /** Values for all items; different if they must be, and not an excluded array. */
  #fill(
    items: readonly (readonly Formula[])[],
    twins: readonly [number, number] | undefined,
  ): unknown[] | undefined {
    const [one = -1, other = -1] = twins ?? [];
    const excluded = excludedValues(this.#constraints).filter(Array.isArray);
    // With this many values, one differs from all other items and excluded arrays.
    const variety = excluded.length + (this.#isUnique ? items.length : 1);
    if (this.#isUnique && items.length > MAX_DIFFERENT) {
      this.#leaveUndecided(`more than ${MAX_DIFFERENT} different items`);
      return undefined;
    }
    const domains: (readonly unknown[])[] = [];
    for (const [index, demands] of items.entries()) {
      const also = index === one ? (items[other] ?? []) : [];
      if (index === other) {
        domains.push([]);
        continue;
      }
      const domain = findValues([...demands, ...also], variety, this.#context);
      if (domain.undecidedBecause !== undefined) this.#leaveUndecided(domain.undecidedBecause);
      if (domain.values.length === 0) return undefined;
      domains.push(domain.values);
    }
    if (this.#isUnique && !canDiffer(domains)) return undefined;
    for (const values of this.#arrays(domains, twins)) {
      if (!excluded.some((each) => isEqual(each, values))) return values;
    }
    return undefined;
  }

  *#arrays(
    [domain, ...others]: readonly (readonly unknown[])[],
    twins: readonly [number, number] | undefined,
    values: readonly unknown[] = [],
  ): Generator<unknown[]> {
    this.#context.step();
    if (domain === undefined) {
      yield [...values];
      return;
    }
    const isTwin = twins !== undefined && values.length === twins[1];
    for (const value of isTwin ? [values[twins[0]]] : domain) {
      if (this.#isUnique && values.some((each) => isEqual(each, value))) continue;
      yield* this.#arrays(others, twins, [...values, value]);
    }
  }

  #leaveUndecided(because: string): void {
    this.#undecidedBecause = because;
  }
}

/** Whether all can be given different values (bipartite matching by augmenting paths). */
function canDiffer(domains: readonly (readonly unknown[])[]): boolean {
  const owners = new Map<string, number>();
  const assign = (index: number, tried: Set<string>): boolean =>
    (domains[index] ?? []).some((value) => {
      const text = canonicalize(value) ?? "";
      if (tried.has(text)) return false;
      tried.add(text);
      const owner = owners.get(text);
      if (owner !== undefined && !assign(owner, tried)) return false;
      owners.set(text, index);
      return true;
    });
  return domains.every((_, index) => assign(index, new Set()));
}
