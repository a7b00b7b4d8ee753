import type { Registry } from "#generated/index.js";
import { LOCK_FILE } from "../../drift/lock.js";
import { describeOrder } from "./describe-order.js";
import { quoteForShell } from "./quote-for-shell.js";
import type { RepositoryChange } from "./to-repository-change.js";

/** What a person has to do after a sync of a repository, in order; the sync itself, where it was `isDry`. */
export function describeNextSteps(
  change: RepositoryChange,
  registry: Registry,
  isDry: boolean,
): string {
  const { repository, name, copies, leftovers } = change;
  const git = name === "." ? "git" : `git -C ${quoteForShell(name)}`;
  const removed = leftovers.filter(({ action }) => action === "remove");
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
