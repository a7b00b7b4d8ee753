import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { resolveOutputs } from "../../base/files/outputs.js";
import { writeFiles } from "../../base/files/staging.js";
import { describeFindings } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { packageVersion } from "../../base/package.js";
import { loadAssets } from "../../base/page/assets.js";
import { escapeControls, formatBytes, formatCount } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import { openCanonical } from "../../contract/drift/open-canonical.js";
import { describeReplay } from "../../contract/drift/repositories.js";
import type { ContractCopies, ContractIndex } from "../../contract/pages/contract-data.js";
import { describeContract } from "../../contract/pages/describe-contract.js";
import { CONTRACT_PAGE, renderContract } from "../../contract/pages/write-contract.js";
import { REGISTRY_FILE } from "../../contract/schemas/registry-file.js";
import type { CommandContext, CommandInput } from "../command.js";
import { toDriftReport } from "../drift/describe.js";
import { driftOfRepositories, requireChecked } from "../drift/run.js";
import { CONTRACT } from "./options.js";

/** Writes the page about the schemas, says on stderr what is in it, and returns exit 3 if a repository is not in it. */
export async function runContract(
  { operands: [, ...others], options, line }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  if (others.length > 0) {
    throw new UserError(
      `report ${CONTRACT} takes no files: it is about the schemas of this package, or of --root`,
      EXIT.usage,
    );
  }
  const output = options.text("output");
  const [path = ""] = await resolveOutputs([output], [], context.cwd);
  const root = options.optionalText("root");
  if (root !== undefined && !existsSync(resolve(context.cwd, root, REGISTRY_FILE))) {
    throw new UserError(`--root ${escapeControls(root)}: it has no ${REGISTRY_FILE}`);
  }
  const canonical = openCanonical(root && join(root, REGISTRY_FILE), context.cwd);
  const repositories = options.optionalTexts("repo");
  const copies = repositories && describeCopies(repositories, canonical, context);
  const index: ContractIndex = {
    name: `${canonical.name} contract`,
    command: line,
    versions: [["rollout-wire", packageVersion()]],
    ...describeContract(canonical),
    copies: copies?.shown,
  };
  const html = renderContract(index, await loadAssets(CONTRACT_PAGE));
  await writeFiles([{ path, chunks: html }]);
  const size = html.reduce((sum, { length }) => sum + length, 0);
  const { schemas, comparisons } = index;
  const counts = [
    formatCount(schemas.length, "schema"),
    formatCount(comparisons.length, "version"),
  ];
  context.stderr.write(`${output}: ${counts.join(", ")}, ${formatBytes(size)}\n`);
  for (const line of copies?.lines ?? []) context.stderr.write(`${line}\n`);
  return copies?.isIncomplete ? EXIT.unreadable : EXIT.ok;
}

interface DescribedCopies {
  readonly shown: ContractCopies;
  /** For people: what was found, and why a repository could not be read. */
  readonly lines: readonly string[];
  /** Whether a repository could not be read. */
  readonly isIncomplete: boolean;
}

/** The state of the copies, as `drift` reports it. */
function describeCopies(
  repositories: readonly string[],
  canonical: Canonical,
  { cwd, program }: CommandContext,
): DescribedCopies {
  const result = driftOfRepositories(repositories, canonical, { cwd, program, latest: false });
  const { checked, fixes } = result;
  // The page has room for all.
  const list = new FindingList({ maxErrors: Number.POSITIVE_INFINITY, maxWarnings: undefined });
  for (const finding of requireChecked(result)) list.addLocated(finding);
  const report = { ...list.toReport("drift"), checked: result.count, thing: "artefact" };
  const { copies, findings, disagreements } = toDriftReport(result, report);
  const forks = result.forks.map((each) => ({
    repository: each.repository,
    path: each.fork.path,
    type: each.fork.type?.name ?? each.fork.schema,
    replay: describeReplay(each),
  }));
  return {
    shown: { copies, forks, findings, ...(disagreements && { disagreements }), checked, fixes },
    lines: [
      `copies: ${describeFindings(list)} (${checked.join(", ")})`,
      ...result.findings.flatMap(({ id, file, message }) =>
        id === "unreachable" ? [escapeControls(`${file}: ${message}`)] : [],
      ),
    ],
    isIncomplete: result.isIncomplete,
  };
}
