import type { Registry } from "#generated/index.js";
import { quoteForShell } from "../../../base/text.js";
import type { VersionComparison } from "../../compat/compare-versions.js";
import { listMovers } from "../../schemas/registry.js";
import type { Canonical } from "../canonical.js";
import { LOCK_FILE } from "../lock.js";
import type { RepositoryChange } from "./repository-plan.js";

/** The user's next steps after a sync, in order. After a dry run they include the sync itself. */
export function describeNextSteps(
  change: RepositoryChange,
  canonical: Canonical,
  { isDry, program }: { readonly isDry: boolean; readonly program: string },
): string {
  const { holder, name, copies, retired, folder } = change;
  const git = name === "." ? "git" : `git -C ${quoteForShell(name)}`;
  const removed = retired.filter(({ action }) => action === "remove");
  const paths = [...holder.registered.map(({ path }) => path), LOCK_FILE].join(" ");
  const moves = new Map(
    copies
      .filter(({ artefact, locked }) => artefact.version !== locked?.version)
      .map(({ artefact: { schema, version } }) => [schema, version] as const),
  );
  const orders = [...moves.keys()].map((schema) =>
    describeOrder(schema, change, canonical.registry),
  );
  const steps = [
    ...orders.flatMap(({ before }) => before),
    ...(isDry ? ["run it without --dry-run"] : []),
    // Without `add -N`, git diff omits untracked files.
    `review the changes:  ${git} add -N ${paths} && ${git} diff`,
    ...[...moves].map(([schema, version]) => `adapt the code that uses ${schema} ${version}`),
    `run the tests of ${holder.name}, and there:  ${program} drift${canonical.flagsIn(folder)}`,
    `commit all copies with their lock:  ${git} add ${paths}`,
    ...removed.map(
      ({ locked }) => `commit the removal:  ${git} rm --ignore-unmatch ${locked.path}`,
    ),
    ...orders.flatMap(({ after }) => after),
  ];
  const lines = steps.map((step, index) => `  ${index + 1}. ${step}\n`);
  return [`Next, for ${holder.name}:\n`, ...lines].join("");
}

/** Steps for the repositories that must be updated before and after this one. */
export interface MovingOrder {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The order in which to update the repositories that share a schema: readers before writers, unless nothing
 * breaks for valid records.
 */
function describeOrder(
  schema: string,
  { holder: { name }, copies }: RepositoryChange,
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
      after: toSteps(others, `nothing of ${schema} breaks: then move the others in any order:`),
    };
  }
  const reason = toReason(comparison);
  if (isWriter) {
    return {
      before: toSteps(readers, `make sure that the readers of ${schema} moved first (${reason}):`),
      after: toSteps(writers, `then move the other writers of ${schema}:`),
    };
  }
  return {
    before: [],
    after: [
      ...toSteps(readers, `then move the other readers of ${schema}:`),
      ...toSteps(writers, `and last its writers (${reason}):`),
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
  if (comparison === undefined) return "records must not be written before they can be read";
  if (comparison.lenses["declared-writer"].backward === "compatible") {
    return "old readers may reject new records";
  }
  return "new readers may reject old records, and must accept both versions meanwhile";
}
