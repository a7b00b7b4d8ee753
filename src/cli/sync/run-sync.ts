import { join, resolve } from "node:path";
import { Canonical } from "../../drift/canonical.js";
import { planSync } from "../../drift/sync/plan.js";
import { toFindings } from "../../findings/finding.js";
import { FindingList } from "../../findings/finding-list.js";
import { packageRoot } from "../../package-root.js";
import { EXIT, type ExitCode, UserError } from "../../user-error.js";
import type { CommandContext, CommandInput } from "../command.js";
import { printReport } from "../print-report.js";
import { readFindingLimits } from "../shared-options.js";
import { createCopyComparer } from "./create-copy-comparer.js";
import { describeActions } from "./describe-actions.js";
import { describeNextSteps } from "./describe-next-steps.js";
import { describeOutcome } from "./describe-outcome.js";
import { findSyncFaults } from "./find-sync-faults.js";
import { planRepository } from "./plan-repository.js";
import { type NamedRepository, readRepositories } from "./read-repositories.js";
import {
  type RepositoryChange,
  type SyncChoice,
  toRepositoryChange,
} from "./to-repository-change.js";
import { writeCopies } from "./write-copies.js";

/** Looks at all repositories that the user named, and then writes to all of them or to none. */
export async function runSync(
  { options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, stdout, stderr } = context;
  const root = resolve(cwd, options.optionalText("root") ?? packageRoot());
  const canonical = new Canonical(root);
  const { registry } = canonical;
  const choice = { force: options.flag("force"), prune: options.flag("prune") };
  const compare = createCopyComparer(canonical);
  const named = readRepositories(options.texts("repo"), { registry, root, cwd });
  const changes = named.map((each) => {
    requireArtefacts(each);
    const plan = planSync({ canonical, root, ...each });
    return toRepositoryChange(each, plan, { choice, compare });
  });
  const list = new FindingList(readFindingLimits(options));
  for (const change of changes) addFaults(list, change, choice);
  const isAllowed = list.errors === 0;
  const planned = changes.map((change) => planRepository(change, choice, root));
  const format = options.text("format");
  const shown = planned.map(({ change, lock }) => describeActions(change, lock !== undefined));
  (format === "text" ? stdout : stderr).write(shown.join(""));
  const isDry = options.flag("dryRun");
  if (isAllowed && !isDry) {
    await writeCopies({
      written: planned.flatMap(({ written }) => written),
      removed: planned.flatMap(({ removed }) => removed),
    });
  }
  const copies = changes.flatMap((change) => [...change.copies, ...change.leftovers]);
  printReport(
    { ...list.toReport("sync"), checked: copies.length, thing: "artefact" },
    format,
    context,
  );
  stderr.write(describeOutcome(planned, { isAllowed, isDry }));
  if (!isAllowed) return EXIT.findings;
  for (const { change, written, removed } of planned) {
    if (written.length + removed.length === 0) continue;
    stderr.write(describeNextSteps(change, registry, isDry));
  }
  return EXIT.ok;
}

/** A sync of nothing would look as if all were well. */
function requireArtefacts({ repository }: NamedRepository): void {
  if (repository.artefacts.length > 0) return;
  throw new UserError(
    `schema/registry.json names no copies that ${repository.name} holds: enter them`,
  );
}

function addFaults(list: FindingList, change: RepositoryChange, choice: SyncChoice): void {
  for (const { severity, ...place } of findSyncFaults(change, choice)) {
    for (const finding of toFindings(change.folder, [place])) {
      list.addLocated({ ...finding, severity, file: join(change.name, place.file) });
    }
  }
}
