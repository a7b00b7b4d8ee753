import type { PlacePair } from "../../places/place-pair.js";
import type { FoundChange } from "../rule.js";
import { type Limit, limitChangeOf, toLimitFinding } from "./limits.js";
import { failsAny } from "./violations.js";

/** How often a list has to contain something, where both versions say what. */
export function containsLimitChanges(pair: PlacePair, limit: Limit): FoundChange[] {
  const [olds, news] = [pair.old.occurrences("contains"), pair.new.occurrences("contains")];
  const change = limitChangeOf(pair, limit);
  if (change === undefined || olds.length === 0 || news.length === 0) return [];
  const violates = { backward: failsAny(news), forward: failsAny(olds) };
  return [{ ...toLimitFinding(change), violates }];
}
