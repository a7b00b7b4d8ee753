import type { Canonical } from "../../drift/canonical.js";
import { checkRepositories } from "../../drift/repositories.js";
import { createFinding } from "../../findings/finding.js";
import { formatCount } from "../../text.js";
import { describeScan } from "./describe-scan.js";
import type { DriftContext, DriftResult } from "./drift-result.js";
import { listMends } from "./list-mends.js";
import { openRepositories } from "./open-repositories.js";

/** The copies that repositories are registered to hold, each judged by the canonical files and by each other. */
export function driftOfRepositories(
  named: readonly string[],
  canonical: Canonical,
  { cwd, latest }: DriftContext,
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
    const mends = opened.map((repository, index) => {
      const { copies = [], findings = [] } = repositories[index] ?? {};
      const isLockWrong = repository.lockFaults.length > 0;
      const checked = { copies, findings, isLockWrong };
      return listMends({ ...repository, latest }, checked, canonical);
    });
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
      mends: [...new Set(mends.flat())],
      isIncomplete: unreachable.length > 0,
    };
  } finally {
    for (const { tree } of opened) tree.close();
  }
}
