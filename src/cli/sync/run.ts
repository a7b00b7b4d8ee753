import { join, resolve } from "node:path";
import type { VersionComparison } from "../../compat/compare-versions.js";
import { Canonical } from "../../drift/canonical.js";
import { compareTexts } from "../../drift/sync/copies.js";
import { type PlannedCopy, planSync } from "../../drift/sync/plan.js";
import { toFindings } from "../../findings/finding.js";
import { FindingList } from "../../findings/finding-list.js";
import { packageRoot } from "../../package.js";
import { EXIT, type ExitCode, UserError } from "../../user-error.js";
import type { CommandContext, CommandInput } from "../command.js";
import { readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { describeActions, describeOutcome } from "./describe.js";
import { findSyncFaults } from "./faults.js";
import { describeNextSteps } from "./next-steps.js";
import {
  type NamedRepository,
  planRepository,
  type RepositoryChange,
  readRepositories,
  type SyncChoice,
  toRepositoryChange,
  writeCopies,
} from "./plan.js";

/** Checks all repositories that the user named, and then writes to all of them or to none. */
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
  const copies = changes.flatMap((change) => [...change.copies, ...change.retired]);
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

/** Syncing nothing would look like success. */
function requireArtefacts({ repository }: NamedRepository): void {
  if (repository.artefacts.length > 0) return;
  throw new UserError(`schema/registry.json lists no copies for ${repository.name}: add them`);
}

function addFaults(list: FindingList, change: RepositoryChange, choice: SyncChoice): void {
  for (const { severity, ...place } of findSyncFaults(change, choice)) {
    for (const finding of toFindings(change.folder, [place])) {
      list.addLocated({ ...finding, severity, file: join(change.name, place.file) });
    }
  }
}

/**
 * Compares the meaning of copies and originals: schemas by their texts, and generated files by their schema
 * versions. Each pair of versions is compared once.
 */
function createCopyComparer(
  canonical: Canonical,
): (copy: PlannedCopy) => VersionComparison | undefined {
  const others = canonical.schemaTexts();
  const known = new Map<string, VersionComparison | undefined>();
  return ({ artefact, copy, wanted, locked }) => {
    const { kind, schema, version } = artefact;
    if (kind === "schema") {
      const [before, after] = [copy?.toString("utf8"), wanted?.toString("utf8")];
      if (before === undefined || after === undefined) return undefined;
      return compareTexts({ before, after, others });
    }
    if (locked === undefined || locked.version === version) return undefined;
    const key = JSON.stringify([schema, locked.version, version]);
    if (known.has(key)) return known.get(key);
    const before = canonical.version(schema, locked.version)?.text;
    const after = canonical.version(schema, version)?.text;
    const comparison =
      before === undefined || after === undefined
        ? undefined
        : compareTexts({ before, after, others });
    known.set(key, comparison);
    return comparison;
  };
}
