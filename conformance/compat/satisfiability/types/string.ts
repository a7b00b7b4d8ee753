import type { Constraint } from "../formula.js";
import { found, NONE, type Solution, unknown } from "../solution.js";
import { findWord } from "../words.js";
import { countRange, excludedValues, ofKind, type SolveContext } from "./type-solver.js";

export function solveString(constraints: readonly Constraint[], { step }: SolveContext): Solution {
  const { min, max } = countRange(constraints, "length");
  if (min > max) return NONE;
  const patterns = ofKind(constraints, "pattern");
  const texts = excludedValues(constraints).filter((value) => typeof value === "string");
  const excluded = new Set(texts);
  const matching = patterns.filter(({ holds }) => holds).map(({ pattern }) => pattern);
  const notMatching = patterns.filter(({ holds }) => !holds).map(({ pattern }) => pattern);
  const word = findWord({ matching, notMatching, min, max, excluded, step });
  if (word.kind === "found") return found(word.text);
  return word.kind === "none" ? NONE : unknown(word.because);
}
