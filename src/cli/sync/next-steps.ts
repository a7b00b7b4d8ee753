import type { Registry } from "#generated/index.js";
import type { VersionComparison } from "../../compat/compare-versions.js";
import { LOCK_FILE } from "../../drift/lock.js";
import { listMovers } from "../../schemas/registry.js";
import { escapeControls } from "../../text.js";
import type { RepositoryChange } from "./plan.js";

/** What a person has to do after a sync of a repository, in order; the sync itself, where it was `isDry`. */
export function describeNextSteps(
  change: RepositoryChange,
  registry: Registry,
  isDry: boolean,
): string {
  const { repository, name, copies, retired } = change;
  const git = name === "." ? "git" : `git -C ${quoteForShell(name)}`;
  const removed = retired.filter(({ action }) => action === "remove");
  const paths = [...repository.artefacts.map(({ path }) => path), LOCK_FILE].join(" ");
  const moves = new Map(
    copies
      .filter(({ artefact, locked }) => artefact.version !== locked?.version)
      .map(({ artefact: { schema, version } }) => [schema, version] as const),
  );
  const orders = [...moves.keys()].map((schema) => describeOrder(schema, change, registry));
  const steps = [
    ...orders.flatMap(({ before }) => before),
    ...(isDry ? ["run it without --dry-run"] : []),
    // Otherwise git would show nothing of files that it does not know.
    `look at what changed:  ${git} add -N ${paths} && ${git} diff`,
    ...[...moves].map(([schema, version]) => `adapt what uses ${schema} ${version}`),
    `run the tests of ${repository.name}, and there:  rollout-wire drift`,
    `commit all copies with their lock:  ${git} add ${paths}`,
    ...removed.map(
      ({ locked }) => `commit the removal:  ${git} rm --ignore-unmatch ${locked.path}`,
    ),
    ...orders.flatMap(({ after }) => after),
  ];
  const lines = steps.map((step, index) => `  ${index + 1}. ${step}\n`);
  return [`Next, for ${repository.name}:\n`, ...lines].join("");
}

/** Which repositories have to move before and after one of them; sentences, none where nobody has to. */
interface MovingOrder {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * When the others move that share a schema: readers before writers, unless nothing breaks of what is written by the
 * schema.
 */
function describeOrder(
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

/** A word of a command line that can be copied into a shell. */
export function quoteForShell(word: string): string {
  if (/^[\w./@:+-]+$/.test(word)) return word;
  return `'${escapeControls(word).replaceAll("'", "'\\''")}'`;
}
