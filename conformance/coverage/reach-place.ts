import { isJsonObject } from "../../src/json/value.js";
import type { Definitions } from "../schemas/link-definitions.js";
import { createSample } from "./create-sample.js";
import type { Step } from "./find-route.js";

/** A record and the place in it that a route leads to. */
export interface ReachedPlace {
  readonly record: unknown;
  readonly path: readonly string[];
}

/** Follows `steps` from `value`; what is not there yet is put there, as small as can be. */
export function reachPlace(
  value: unknown,
  steps: readonly Step[],
  definitions: Definitions,
): ReachedPlace {
  const [step, ...rest] = steps;
  if (step === undefined) return { record: value, path: [] };
  const follow = (inner: unknown): ReachedPlace =>
    reachPlace(inner ?? createSample(step.node, definitions), rest, definitions);
  if (step.kind === "item") {
    const items: unknown[] = Array.isArray(value) ? value : [];
    // Where an array is shorter, its last item is as near as one can come.
    const at = Math.max(0, Math.min(step.index, items.length - 1));
    const { record, path } = follow(items[at]);
    return { record: items.toSpliced(at, 1, record), path: [`${at}`, ...path] };
  }
  const fields = isJsonObject(value) ? value : {};
  const name = step.kind === "property" ? step.name : (Object.keys(fields)[0] ?? "entry");
  const { record, path } = follow(fields[name]);
  return { record: { ...fields, [name]: record }, path: [name, ...path] };
}
