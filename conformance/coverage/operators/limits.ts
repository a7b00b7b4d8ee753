import { type SchemaNode, typesOf } from "../../../src/contract/schemas/nodes.js";
import type { Operator } from "./operator.js";

type BoundKeyword = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum";

/** How far a bound is moved, and how far from it a witness lies. */
interface Steps {
  readonly bound: number;
  readonly witness: number;
}

/** The smallest difference that a record can detect. */
const INTEGER_STEPS: Steps = { bound: 1, witness: 1 };

/** Small; the witness lies between the old bound and the new one. */
const NUMBER_STEPS: Steps = { bound: 0.1, witness: 0.05 };

/**
 * Bounds of integers are moved by one. A bound of numbers is loosened by a tenth, and tightened by excluding
 * the bound itself.
 */
export function createBoundOperator(keyword: BoundKeyword, purpose: string): Operator {
  const outward = /minimum/i.test(keyword) ? -1 : 1;
  const side = outward < 0 ? "below" : "above";
  const isExclusive = keyword.startsWith("exclusive");
  const inner = side === "below" ? "above" : "below";
  const demand = isExclusive ? inner : `at ${side === "below" ? "least" : "most"}`;
  const moved = (node: SchemaNode, to: number) => ({
    at: [keyword],
    change: `has ${keyword} ${to}`,
    mutant: { ...node, [keyword]: to },
  });
  const turned = (node: SchemaNode, bound: number) => {
    const { [keyword]: _, ...free } = node;
    const other = opposite(keyword);
    return { at: [keyword], change: `has ${other} ${bound}`, mutant: { ...free, [other]: bound } };
  };
  return {
    keyword,
    purpose,
    loosen(node) {
      const { [keyword]: bound } = node;
      if (bound === undefined) return [];
      const steps = stepsOf(node);
      const value = isExclusive ? bound : round(bound + outward * steps.witness);
      const witnesses = [
        {
          name: nameOf(value, side),
          why: `% is ${value}, but must be ${demand} ${bound}`,
          toValue: () => value,
        },
      ];
      if (isExclusive && !isInteger(node)) return [{ ...turned(node, bound), witnesses }];
      return [{ ...moved(node, round(bound + outward * steps.bound)), witnesses }];
    },
    tighten(node) {
      const { [keyword]: bound } = node;
      if (bound === undefined) return [];
      const steps = stepsOf(node);
      const first = round(bound - outward * steps.witness);
      const value = isExclusive ? first : bound;
      const rank = outward < 0 ? "lowest" : "highest";
      const why = isExclusive
        ? `% is ${value}, just within the limit of ${bound}`
        : `% is ${value}, the ${rank} that is allowed`;
      const witnesses = [{ name: `${rank}-%`, why, toValue: () => value }];
      if (!isExclusive && !isInteger(node)) return [{ ...turned(node, bound), witnesses }];
      return [{ ...moved(node, round(bound - outward * steps.bound)), witnesses }];
    },
  };
}

/** Descriptive names for common cases: `negative-count`, `rank-zero`. */
function nameOf(value: number, side: "below" | "above"): string {
  if (side === "above") return "too-high-%";
  if (value === 0) return "%-zero";
  return value < 0 ? "negative-%" : "too-low-%";
}

function isInteger(node: SchemaNode): boolean {
  return typesOf(node).includes("integer");
}

function stepsOf(node: SchemaNode): Steps {
  return isInteger(node) ? INTEGER_STEPS : NUMBER_STEPS;
}

/** The keyword that differs in whether the bound itself is allowed. */
function opposite(keyword: BoundKeyword): BoundKeyword {
  const pairs = {
    minimum: "exclusiveMinimum",
    maximum: "exclusiveMaximum",
    exclusiveMinimum: "minimum",
    exclusiveMaximum: "maximum",
  } as const;
  return pairs[keyword];
}

/** Rounded, so that fixtures show no binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

export const exclusiveMaximum = createBoundOperator(
  "exclusiveMaximum",
  "the limit itself is refused, and a number just below it is used",
);

export const exclusiveMinimum = createBoundOperator(
  "exclusiveMinimum",
  "the limit itself is refused, and a number just above it is used",
);

export const maximum = createBoundOperator(
  "maximum",
  "a number above the limit is refused, and the limit itself is used",
);

export const minimum = createBoundOperator(
  "minimum",
  "a number below the limit is refused, and the limit itself is used",
);
