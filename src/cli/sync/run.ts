import { dirname, join } from "node:path";
import { type FileStaging, withStaging } from "../../base/files/staging.js";
import { createFinding, toFindings } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { CONFIG_FILE } from "../../base/package.js";
import { escapeControls, quoteForShell } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import type { VersionComparison } from "../../contract/compat/compare-versions.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import { surroundingsOf } from "../../contract/drift/copy.js";
import type { Holder } from "../../contract/drift/holder.js";
import { findLackingImports } from "../../contract/drift/imports.js";
import { LOCK_FILE } from "../../contract/drift/lock.js";
import { openCanonical } from "../../contract/drift/open-canonical.js";
import { RecordTypes } from "../../contract/drift/records/record-types.js";
import { replayFixtures } from "../../contract/drift/records/replay.js";
import { compareTexts } from "../../contract/drift/sync/copies.js";
import { findSyncFaults } from "../../contract/drift/sync/faults.js";
import { describeNextSteps } from "../../contract/drift/sync/next-steps.js";
import { type PlannedCopy, planSync } from "../../contract/drift/sync/plan.js";
import {
  type AdoptionReplay,
  type NamedRepository,
  planRepository,
  type RepositoryChange,
  readRepositories,
  type SyncChoice,
  toRepositoryChange,
  writeCopies,
} from "../../contract/drift/sync/repository-plan.js";
import type { Tree } from "../../contract/drift/trees/tree.js";
import { ruleIds } from "../../rollouts/wire/validation/rules/index.js";
import type { CommandContext, CommandInput } from "../command.js";
import { readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { reportRecovery } from "../summary.js";
import { describeActions, describeOutcome } from "./describe.js";

/** Checks all repositories that the user named, and then writes to all of them or to none. */
export async function runSync(
  { options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  return await withStaging(reportRecovery(context), (staging) =>
    syncStaged(options, staging, context),
  );
}

async function syncStaged(
  options: CommandInput["options"],
  staging: FileStaging,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, stdout, stderr } = context;
  const canonical = openCanonical(options.optionalText("registry"), cwd);
  const choice = {
    force: options.flag("force"),
    prune: options.flag("prune"),
    adopt: options.flag("adopt"),
  };
  const places = options.optionalTexts("repo") ?? ["."];
  const named = readRepositories(places, { canonical, ruleIds, cwd });
  const isDry = options.flag("dryRun");
  for (const each of named) requireArtefacts(each, context);
  if (!isDry) await reserveLocks(named, staging);
  const changes = named.map((each) => {
    const plan = planSync({ canonical, ...each });
    const compare = createCopyComparer(canonical, each.holder.tree);
    const replay = (copy: PlannedCopy) => replayForAdoption(copy, each.holder, canonical);
    return toRepositoryChange(each, plan, { choice, compare, replay });
  });
  if (!isDry) sweepCopies(changes, staging);
  const list = new FindingList(readFindingLimits(options));
  for (const fault of canonical.faults) list.addLocated(fault);
  for (const change of changes) addFaults(list, change, { choice, canonical });
  const isAllowed = list.errors === 0;
  const planned = changes.map((change) => planRepository(change, choice, canonical));
  const format = options.text("format");
  const shown = planned.map(({ change, lock }) => describeActions(change, lock !== undefined));
  (format === "text" ? stdout : stderr).write(shown.join(""));
  if (isAllowed && !isDry) {
    const written = planned.flatMap((each) => each.written);
    const removed = planned.flatMap((each) => each.removed);
    await writeCopies({ written, removed }, staging);
  }
  const copies = changes.flatMap((change) => [...change.copies, ...change.retired]);
  printReport(
    { ...list.toReport("sync"), checked: copies.length, thing: "artefact" },
    format,
    context,
  );
  stderr.write(describeOutcome(planned, { isAllowed, isDry }));
  if (!isAllowed) return canonical.faults.length > 0 ? EXIT.unreadable : EXIT.findings;
  for (const { change, written, removed } of planned) {
    if (written.length + removed.length === 0) continue;
    stderr.write(describeNextSteps(change, canonical, { isDry, program: context.program }));
  }
  return EXIT.ok;
}

/**
 * Locks the repositories, each by its lock file, and completes what a killed run began to copy there. A folder that
 * cannot be written to is no fault as long as everything in it is up to date.
 */
async function reserveLocks(
  repositories: readonly NamedRepository[],
  staging: FileStaging,
): Promise<void> {
  try {
    await staging.reserve(repositories.map(({ folder }) => join(folder, LOCK_FILE)));
  } catch (error) {
    if (!(error instanceof UserError) || error.exitCode === EXIT.usage) throw error;
  }
}

/** Removes what killed runs left beside copies, also where this run writes nothing. */
function sweepCopies(changes: readonly RepositoryChange[], staging: FileStaging): void {
  for (const { folder, copies } of changes) {
    for (const { artefact } of copies) staging.sweep(dirname(join(folder, artefact.path)));
  }
}

/** Only the configuration says where copies lie. Syncing nothing would look like success. */
function requireArtefacts(
  { holder: { config, registered, tree }, name }: NamedRepository,
  { program }: CommandContext,
): void {
  if (registered.length > 0) return;
  const file = escapeControls(tree.nameOf(CONFIG_FILE));
  if (config !== undefined)
    throw new UserError(`${file}: lists no copies: add them to "artefacts"`);
  const place = name === "." ? "" : ` ${quoteForShell(name)}`;
  throw new UserError(
    `${file}: no such file, so nothing says which copies belong where: run ${program} init${place} --write, which proposes it`,
  );
}

function addFaults(
  list: FindingList,
  change: RepositoryChange,
  { choice, canonical }: { readonly choice: SyncChoice; readonly canonical: Canonical },
): void {
  const lacking = findLackingImports(change.holder, canonical).map((place) => ({
    ...place,
    severity: "warning" as const,
  }));
  for (const { severity, ...place } of [...findSyncFaults(change, choice), ...lacking]) {
    for (const finding of toFindings(change.folder, [place])) {
      list.addLocated({ ...finding, severity, file: join(change.name, place.file) });
    }
  }
}

/** The records of a repository against the original of a schema that one of its files is to become. */
function replayForAdoption(
  { artefact: { kind, schema, version } }: PlannedCopy,
  holder: Holder,
  canonical: Canonical,
): AdoptionReplay | undefined {
  if (kind !== "schema") return undefined;
  const fixtures = [
    ...holder.artefacts.filter((each) => each.kind === "fixture"),
    ...holder.fixtures,
  ]
    .filter((fixture) => fixture.schema === schema)
    .map(({ path }) => ({ schema, version, path }));
  const alone = { holder: { ...holder, artefacts: [] }, forks: [], fixtures };
  const types = new RecordTypes(canonical);
  const { records, findings } = replayFixtures([alone], { canonical, types });
  const missing = holder.fixtures
    .filter((each) => each.schema === schema && holder.tree.read(each.path) === undefined)
    .map(({ path }) => {
      const message = `is missing, but ${CONFIG_FILE} lists its records`;
      return createFinding({ id: "missing", file: holder.tree.nameOf(path), message });
    });
  return { records, rejections: [...missing, ...findings.flat()] };
}

/**
 * Compares the meaning of copies and originals: schemas by their texts, and generated files by their schema
 * versions. Each pair of versions is compared once for a repository.
 */
function createCopyComparer(
  canonical: Canonical,
  tree: Tree,
): (copy: PlannedCopy) => VersionComparison | undefined {
  const known = new Map<string, VersionComparison | undefined>();
  return ({ artefact, copy, wanted, locked }) => {
    const { kind, schema, version } = artefact;
    const { others, formats } = surroundingsOf(artefact.path, tree, canonical);
    if (kind === "schema") {
      const [before, after] = [copy?.toString("utf8"), wanted?.toString("utf8")];
      if (before === undefined || after === undefined) return undefined;
      return compareTexts({ before, after, others, formats });
    }
    if (locked === undefined || locked.version === version) return undefined;
    const key = JSON.stringify([schema, locked.version, version, formats]);
    if (known.has(key)) return known.get(key);
    const before = canonical.version(schema, locked.version)?.text;
    const after = canonical.version(schema, version)?.text;
    const comparison =
      before === undefined || after === undefined
        ? undefined
        : compareTexts({ before, after, others, formats });
    known.set(key, comparison);
    return comparison;
  };
}
