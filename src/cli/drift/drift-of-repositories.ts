import type { Canonical } from "../../../conformance/drift/canonical.js";
import { checkRepositories } from "../../../conformance/drift/check-repositories.js";
import type { OpenedRepository } from "../../../conformance/drift/opened-repository.js";
import { WorkingTree } from "../../../conformance/drift/trees/working-tree.js";
import { createFinding } from "../../../conformance/findings/create-finding.js";
import { escapeControls } from "../../records/escape-controls.js";
import { formatCount } from "../../records/format-count.js";
import { describeScan } from "./describe-scan.js";
import type { DriftResult } from "./drift-result.js";
import { openRepositories } from "./open-repositories.js";

/** The copies that repositories are registered to hold, each judged by the canonical files and by each other. */
export function driftOfRepositories(
  named: readonly string[],
  canonical: Canonical,
  cwd: string,
): DriftResult {
  const { opened, unreachable } = openRepositories(named, canonical, cwd);
  try {
    const { repositories, replay, checked } = checkRepositories(opened, canonical);
    const copies = repositories.flatMap(({ name, copies }) =>
      copies.map((copy) => ({ ...copy, repository: name })),
    );
    const failures = unreachable.map(({ place, because }) =>
      createFinding({ id: "unreachable", file: place, message: because }),
    );
    const wrong = repositories.filter(({ copies }) =>
      copies.some(({ findings }) => findings.some(({ severity }) => severity === "error")),
    );
    return {
      copies,
      findings: [
        ...failures,
        ...copies.flatMap(({ findings }) => findings),
        ...replay,
        ...repositories.flatMap(({ findings }) => findings),
      ],
      checked: [
        `${formatCount(checked.copies, "copy", "copies")} in ${formatCount(opened.length, "repository", "repositories")}`,
        `${formatCount(checked.records, "record")} replayed`,
        ...describeScan(checked),
      ],
      count: checked.copies,
      mends: [...new Set(wrong.flatMap(({ name }) => listMends(name, opened)))],
      isIncomplete: unreachable.length > 0,
    };
  } finally {
    for (const { tree } of opened) tree.close();
  }
}

/** How each place of a repository is brought up to date: what git has is written only by way of a checkout. */
function listMends(name: string, opened: readonly OpenedRepository[]): string[] {
  return opened
    .filter((repository) => repository.name === name)
    .map(({ place, tree }) =>
      tree instanceof WorkingTree
        ? `rollout-wire sync --repo ${name}=${escapeControls(place)}`
        : `rollout-wire sync --repo ${name}=.    in a checkout of ${escapeControls(place)}`,
    );
}
