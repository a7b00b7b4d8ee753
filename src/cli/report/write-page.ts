import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { readEvalItems } from "../../decontamination/eval-items.js";
import type { TargetId } from "../../export/targets/index.js";
import { expandInputs, requireFiles } from "../../files/inputs.js";
import { resolveOutputs } from "../../files/outputs.js";
import { writeFiles } from "../../files/staging.js";
import { createTempFolder } from "../../files/temp.js";
import { packageRoot } from "../../package.js";
import { loadAssets } from "../../report/assets.js";
import { collectRollouts } from "../../report/collect.js";
import { ExportedPairs } from "../../report/pairs.js";
import { RolloutLog } from "../../report/rollout-log.js";
import { renderReport } from "../../report/write-report.js";
import { schemaHashes } from "../../schemas/hashes.js";
import { formatBytes, formatCount } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";
import type { CommandContext } from "../command.js";
import { startProgress } from "../progress.js";

export interface PageRequest {
  /** Files, folders and glob patterns; `-` is standard input. */
  readonly inputs: readonly string[];
  /** Exported files whose lines are shown. */
  readonly pairs?: readonly string[];
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly evalItems?: string | undefined;
  readonly target: TargetId;
  readonly output: string;
  readonly maxBytes?: number;
  readonly seed?: number;
  /** The command line, for people who make the page again. */
  readonly command: string;
}

export const DEFAULT_MAX_BYTES = 20_000_000;

/**
 * Writes a page about rollouts, and returns a line that says what is in it.
 *
 * Throws UserError: exit 2 if no input has a valid branch or the output cannot be used, exit 3 if a file cannot be read
 * or written.
 */
export async function writePage(request: PageRequest, context: CommandContext): Promise<string> {
  const { inputs, pairs: pairFiles = [], evalItems, target, output, command } = request;
  const files = await expandInputs(inputs, context);
  const read = [...files, ...pairFiles, ...(evalItems === undefined ? [] : [evalItems])];
  await requireFiles(read, context);
  const [path = ""] = await resolveOutputs([output], read, context.cwd);
  const items = evalItems === undefined ? undefined : await readEvalItems(evalItems, {}, context);
  const folder = createTempFolder();
  const pairs = new ExportedPairs(folder.path);
  const log = new RolloutLog(folder.path);
  try {
    for (const file of pairFiles) await pairs.read(file, context);
    const progress = await startProgress(files, context);
    const collected = await collectRollouts(
      { files, target, evalItems: items, pairs, progress },
      log,
      context,
    );
    const { rollouts } = collected.stats;
    if (rollouts === 0) {
      throw new UserError(`no valid branch in ${formatCount(files.length, "file")}`, EXIT.usage);
    }
    const { html, leftOut } = renderReport(collected, log, await loadAssets("rollouts"), {
      ...{ command, target, contract: describeContract() },
      maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES,
      seed: request.seed ?? 0,
    });
    await writeFiles([{ path, chunks: html }]);
    const size = formatBytes(html.reduce((sum, { length }) => sum + length, 0));
    const left = leftOut === 0 ? "" : `, without ${formatCount(leftOut, "more rollout")}`;
    return `${output}: ${formatCount(rollouts - leftOut, "rollout")}${left}, ${size}`;
  } finally {
    log.close();
    pairs.close();
    folder.remove();
  }
}

/** Version of the format, and the hash that identifies this copy of it. */
function describeContract(): string {
  const schema = readFileSync(join(packageRoot(), "schema/rollout-wire.schema.json"), "utf8");
  return `${ROLLOUT_BRANCH_SCHEMA_VERSION} ${schemaHashes(schema).canonical}`;
}
