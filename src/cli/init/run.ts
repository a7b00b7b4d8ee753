import { join, resolve } from "node:path";
import type { Config, InitReport } from "#generated/index.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { toSafeJson } from "../../base/json/print.js";
import { CONFIG_FILE } from "../../base/package.js";
import { toFindingReport } from "../../base/reporters/json.js";
import { escapeControls, formatCount, quoteForShell } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import { writeConfig } from "../../contract/drift/config.js";
import { openHolder } from "../../contract/drift/holder.js";
import { findRegistry } from "../../contract/drift/init/find-registry.js";
import { proposeSchemas } from "../../contract/drift/init/own-schemas.js";
import { findUnlistable, proposeConfig } from "../../contract/drift/init/propose.js";
import { type Survey, surveyTree } from "../../contract/drift/init/survey.js";
import { LOCK_FILE } from "../../contract/drift/lock.js";
import { openCanonical } from "../../contract/drift/open-canonical.js";
import { openTree } from "../../contract/drift/trees/open.js";
import { type Tree, WorkingTree } from "../../contract/drift/trees/tree.js";
import { ruleIds } from "../../rollouts/wire/validation/rules/index.js";
import type { CommandContext, CommandInput } from "../command.js";
import { createRecordCheck } from "../drift/rule-check.js";
import { readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { reportRecovery } from "../summary.js";
import { describeFound, describeOutputs, describeOwned } from "./describe.js";

/** Searches a repository and proposes its configuration; writes it only with `--write`. */
export async function runInit(
  { operands, options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, program, stdout, stderr } = context;
  const [place = "."] = operands;
  const tree = openFolder(place, cwd);
  const named = options.optionalText("registry");
  const own = named === undefined ? findRegistry(tree) : undefined;
  const canonical = openCanonical(named, cwd, own && join(place, own));
  const name = options.optionalText("name") ?? findName(tree, canonical);
  requireName(name);
  const survey = surveyTree(tree, canonical, createRecordCheck(canonical));
  const known = survey.found.flatMap(({ kind, path }) => (kind === "schema" ? [path] : []));
  const schemas = proposeSchemas(tree, name, { registry: own, known });
  const config = proposeConfig(name, { ...survey, registry: own, schemas }, canonical);
  const list = new FindingList(readFindingLimits(options));
  const findings = [
    ...canonical.faults,
    ...survey.findings,
    ...findUnlistable(survey.found),
    ...findNothing(survey, config, { place, canonical }),
  ];
  for (const finding of findings) list.addLocated(finding);
  // A schema that cannot be read is a fault of the registry, which the configuration only names.
  const isProposed = list.errors === canonical.faults.length;
  const isWritten = options.flag("write") && isProposed;
  if (isWritten) await writeConfig(config, resolve(cwd, place), reportRecovery(context));
  const report = { ...list.toReport("init"), checked: survey.files, thing: "file" };
  const format = options.text("format");
  if (format === "json") {
    const initReport: InitReport = {
      ...toFindingReport(report),
      found: [...survey.found],
      config,
      written: isWritten,
    };
    stdout.write(toSafeJson(initReport));
  } else {
    if (format === "text" && isProposed) {
      stdout.write(
        `${describeOwned(own, canonical)}${describeOutputs(config)}${describeFound(survey.found)}\n${isWritten ? "" : toSafeJson(config)}`,
      );
    }
    printReport(report, format, context);
  }
  stderr.write(describeOutcome(survey, { cwd, program, place, isWritten, canonical, config }));
  if (!isProposed) return EXIT.findings;
  return canonical.faults.length === 0 ? EXIT.ok : EXIT.unreadable;
}

/** Says if there is nothing to configure, or nothing that `drift` could check. */
function findNothing(
  { found, files }: Survey,
  { artefacts, fixtures = [], registry, schemas }: Config,
  { place, canonical }: Pick<Outcome, "place" | "canonical">,
): Finding[] {
  if (registry !== undefined || schemas !== undefined) return [];
  if (found.length === 0) {
    const message =
      files === 0
        ? "has no files that git does not ignore: nothing to configure"
        : `none of its ${formatCount(files, "file")} resembles a schema, generated code or records of ${canonical.name}: nothing to configure`;
    return [createFinding({ id: "nothing-found", file: place, message })];
  }
  if (artefacts.length + fixtures.length > 0) return [];
  const message =
    "nothing here can be a copy or a fixture: until the configuration lists one, or its baseline accepts a fork, drift has nothing to check";
  const finding = createFinding({ id: "nothing-listed", file: place, message });
  return [{ ...finding, severity: "warning" }];
}

/** Throws UserError if there is no such folder (exit 3), or if it is configured already (exit 2). */
function openFolder(place: string, cwd: string): Tree {
  const tree = openTree(place, cwd);
  if (!(tree instanceof WorkingTree)) {
    tree.close();
    throw new UserError(`${escapeControls(place)}: is not a folder of files`, EXIT.usage);
  }
  if (tree.read(CONFIG_FILE) === undefined) return tree;
  throw new UserError(
    `${escapeControls(tree.nameOf(CONFIG_FILE))}: exists already: edit it, or remove it and run init again`,
    EXIT.usage,
  );
}

/**
 * The name in its lock; else that of its git remote, or of its folder. Throws UserError (exit 3) if the lock cannot be
 * read.
 */
function findName(tree: Tree, canonical: Canonical): string {
  const { name, faults } = openHolder(tree, { canonical, ruleIds });
  const [fault] = faults;
  if (fault === undefined) return name;
  throw new UserError(`${fault.file}:${fault.line}:${fault.column} ${fault.message}`);
}

function requireName(name: string): void {
  if (/^[\w-][\w.-]*$/.test(name)) return;
  throw new UserError(
    `--name ${escapeControls(name)}: must consist of letters, digits, ".", "_" and "-"`,
    EXIT.usage,
  );
}

interface Outcome {
  readonly cwd: string;
  /** Starts the program again. */
  readonly program: string;
  readonly place: string;
  readonly isWritten: boolean;
  readonly canonical: Canonical;
  readonly config: Config;
}

function describeOutcome(
  { files, found }: Survey,
  { cwd, program, place, isWritten, canonical, config }: Outcome,
): string {
  const counts = `${formatCount(files, "file")} searched, without those that git ignores`;
  if (found.length === 0 && !isWritten && canonical.isOwn && config.schemas === undefined) {
    return `${counts}\n`;
  }
  if (!isWritten) return `${counts}; nothing is written: --write writes ${CONFIG_FILE}\n`;
  const at = place === "." ? "" : `cd ${quoteForShell(place)} && `;
  const flags = canonical.flagsIn(resolve(cwd, place));
  const isHolder = config.artefacts.length + (config.fixtures ?? []).length > 0;
  const copies = [
    `see what differs:  ${at}${program} drift${flags}`,
    `accept what is to stay for some time:  ${program} drift --accept REASON${flags}`,
    ...(config.artefacts.length > 0
      ? [`copy the rest, with a ${LOCK_FILE}:  ${program} sync${flags}`]
      : []),
    `verify it in CI:  ${program} drift${flags}`,
  ];
  const code = [
    `write the code of its schemas:  ${at}${program} generate`,
    `prove in CI that code and schemas agree:  ${program} check`,
  ];
  const steps = [
    ...(config.schemas === undefined ? [] : code),
    ...(config.schemas === undefined || isHolder ? copies : []),
  ];
  const lines = steps.map((step, index) => `  ${index + 1}. ${step}\n`);
  return [`${counts}; ${CONFIG_FILE} is written\n`, "Next:\n", ...lines].join("");
}
