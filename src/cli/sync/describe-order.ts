import type { Registry } from "#generated/index.js";
import type { VersionComparison } from "../../compat/compare-versions.js";
import { listMovers } from "../../schemas/registry.js";
import type { RepositoryChange } from "./to-repository-change.js";

/** Which repositories have to move before and after one of them; sentences, none where nobody has to. */
export interface MovingOrder {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * When the others move that share a schema: readers before writers, unless nothing breaks of what is written by the
 * schema.
 */
export function describeOrder(
  schema: string,
  { repository: { name }, copies }: RepositoryChange,
  { schemas }: Registry,
): MovingOrder {
  const entry = schemas.find((each) => each.name === schema);
  if (entry === undefined) return { before: [], after: [] };
  const movers = listMovers(entry);
  const isWriter = movers.writers.includes(name);
  const [readers, writers] = [movers.readers, movers.writers].map((names) =>
    names.filter((other) => other !== name).join(", "),
  );
  const comparison = copies.find(
    (copy) => copy.artefact.schema === schema && copy.comparison !== undefined,
  )?.comparison;
  if (isHarmless(comparison)) {
    const others = [readers, writers].filter((names) => names !== "").join(", ");
    return {
      before: [],
      after: toSteps(others, `of ${schema}, nothing breaks: then move the others in any order:`),
    };
  }
  const reason = toReason(comparison);
  if (isWriter) {
    return {
      before: toSteps(readers, `make sure that who reads ${schema} moved first (${reason}):`),
      after: toSteps(writers, `then move who else writes ${schema}:`),
    };
  }
  return {
    before: [],
    after: [
      ...toSteps(readers, `then move who else reads ${schema}:`),
      ...toSteps(writers, `and last who writes it (${reason}):`),
    ],
  };
}

function toSteps(names: string | undefined, step: string): string[] {
  return names === undefined || names === "" ? [] : [`${step}  ${names}`];
}

function isHarmless(comparison: VersionComparison | undefined): boolean {
  const verdicts = comparison?.lenses["declared-writer"];
  return verdicts?.backward === "compatible" && verdicts.forward === "compatible";
}

function toReason(comparison: VersionComparison | undefined): string {
  if (comparison === undefined) return "nobody may write what nobody reads yet";
  if (comparison.lenses["declared-writer"].backward === "compatible") {
    return "old readers may reject new records";
  }
  return "new readers may reject old records, and have to take both versions meanwhile";
}
