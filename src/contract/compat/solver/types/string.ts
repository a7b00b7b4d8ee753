import { FORMAT_EXAMPLES, matchesFormat } from "../logic/formats.js";
import type { Constraint } from "../logic/formula.js";
import { matchesPattern } from "../logic/patterns.js";
import { findMatch, type MatchRequest } from "../logic/shortest-match.js";
import { found, NONE, type Solution, unknown } from "../logic/solution.js";
import { countRange, excludedValues, ofKind, type SolveContext } from "./type-solver.js";

export function solveString(constraints: readonly Constraint[], { step }: SolveContext): Solution {
  const { min, max } = countRange(constraints, "length");
  if (min > max) return NONE;
  const patterns = ofKind(constraints, "pattern");
  const texts = excludedValues(constraints).filter((value) => typeof value === "string");
  const request: MatchRequest = {
    matching: patterns.filter(({ holds }) => holds).map(({ pattern }) => pattern),
    notMatching: patterns.filter(({ holds }) => !holds).map(({ pattern }) => pattern),
    min,
    max,
    excluded: new Set(texts),
    step,
  };
  const formats = ofKind(constraints, "format");
  if (formats.length > 0) return solveFormats(formats, request);
  const match = findMatch(request);
  if (match.kind === "found") return found(match.text);
  return match.kind === "none" ? NONE : unknown(match.because);
}

/** Strings with a format are not derived: examples of all formats are tried, and the shortest match. */
function solveFormats(
  formats: readonly Extract<Constraint, { readonly kind: "format" }>[],
  request: MatchRequest,
): Solution {
  const { min, max, excluded, matching, notMatching } = request;
  const match = findMatch(request);
  if (match.kind === "none") return NONE;
  const texts = [...FORMAT_EXAMPLES.values()].flat();
  const fitting = [match.kind === "found" ? match.text : "", ...texts].find((text) => {
    const { length } = [...text];
    return (
      length >= min &&
      length <= max &&
      !excluded.has(text) &&
      matching.every((pattern) => matchesPattern(pattern, text, request.step)) &&
      !notMatching.some((pattern) => matchesPattern(pattern, text, request.step)) &&
      formats.every(({ format, holds }) => matchesFormat(format, text) === holds)
    );
  });
  return fitting === undefined ? unknown("a format") : found(fitting);
}
