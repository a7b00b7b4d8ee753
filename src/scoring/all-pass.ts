import { combineVerdicts } from "./combine-verdicts.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";

/**
 * One verifier of several: `pass` only if every one passes, `fail` if one fails, undefined if none
 * ran, otherwise `unknown`.
 *
 * Throws TypeError when there are no verifiers: what nothing checks would pass.
 */
export function allPass(verifiers: readonly ObjectiveVerifier[]): ObjectiveVerifier {
  if (verifiers.length === 0) throw new TypeError("no verifiers: expected at least one");
  return (branch) => combineVerdicts(verifiers.map((verify) => verify(branch)));
}
