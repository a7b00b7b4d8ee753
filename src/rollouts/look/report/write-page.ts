import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { hashFile } from "../../../base/files/hash.js";
import { findInputs } from "../../../base/files/inputs.js";
import { resolveOutputs } from "../../../base/files/outputs.js";
import { type InputSource, STDIN, toReadError } from "../../../base/files/source.js";
import { withStaging, writeFiles } from "../../../base/files/staging.js";
import { createTempFolder } from "../../../base/files/temp.js";
import { loadAssets } from "../../../base/page/assets.js";
import { PAGE_MARK } from "../../../base/page/page.js";
import { type Progress, SILENT } from "../../../base/run/progress.js";
import { formatBytes, formatCount } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { readEvalItems } from "../../pipeline/decontamination/eval-items.js";
import type { TargetId } from "../../wire/export/targets/index.js";
import { collectRollouts, toDigits } from "./collect.js";
import { ExportedPairs } from "./pairs.js";
import { nameOfPage, ROLLOUTS_PAGE, renderPages, renderReport } from "./render-report.js";
import type { InputSummary } from "./report-data.js";
import { RolloutLog } from "./rollout-log.js";

export interface PageRequest {
  /** Files, folders and glob patterns; `-` is standard input. */
  readonly inputs: readonly string[];
  /** Exported files whose lines are shown. */
  readonly pairs?: readonly string[];
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly evalItems?: string | undefined;
  readonly target: TargetId;
  readonly output: string;
  /** Whether the output is a folder of pages with all rollouts, instead of one page. */
  readonly pages?: boolean;
  readonly maxBytes?: number;
  readonly seed?: number;
  /** The command line, for people who make the page again. */
  readonly command: string;
  /** The format and the hash of its schema, for people. */
  readonly contract: string;
  /** Starts to show progress once the input files are known. */
  readonly startProgress?: (files: readonly string[]) => Promise<Progress>;
}

export const DEFAULT_MAX_BYTES = 20_000_000;

/**
 * Writes a page about rollouts, or a folder of pages, and returns lines that say what is in it.
 *
 * Throws UserError: exit 2 if no input has a valid branch or the output cannot be used, exit 3 if a file cannot be read
 * or written.
 */
export async function writePage(
  request: PageRequest,
  context: InputSource,
): Promise<readonly string[]> {
  const { inputs, pairs: pairFiles = [], evalItems, target, output, command } = request;
  const others = [...pairFiles, ...(evalItems === undefined ? [] : [evalItems])];
  const files = await findInputs(inputs, context, { others });
  const read = [...files, ...others];
  const resolved = request.pages
    ? resolve(context.cwd, output)
    : ((await resolveOutputs([output], read, context.cwd))[0] ?? "");
  const items = evalItems === undefined ? undefined : await readEvalItems(evalItems, {}, context);
  const folder = createTempFolder();
  const pairs = new ExportedPairs(folder.path);
  const log = new RolloutLog(folder.path);
  try {
    for (const file of pairFiles) await pairs.read(file, context);
    const progress = (await request.startProgress?.(files)) ?? SILENT;
    const found = await collectRollouts(
      { files, target, evalItems: items, pairs, progress },
      log,
      context,
    );
    const { rollouts } = found.stats;
    if (rollouts === 0) {
      throw new UserError(`no valid branch in ${formatCount(files.length, "file")}`, EXIT.usage);
    }
    const stored = others.filter((file) => file !== STDIN);
    const named = [...files, ...stored];
    const summaries = await Promise.all(stored.map((file) => summarise(file, context.cwd)));
    const home = request.pages ? resolved : dirname(resolved);
    const inputs = [...found.inputs, ...summaries].map((input, index) => ({
      ...input,
      address: toAddress(named[index] ?? STDIN, home, context.cwd),
    }));
    const collected = { ...found, inputs };
    const { error: errors, warning: warnings } = found.counts;
    const counts = [formatCount(errors, "error"), formatCount(warnings, "warning")].join(", ");
    const findings = errors + warnings === 0 ? "" : `findings: ${counts}, listed in the page`;
    const notes = [findings, pairs.describeMissed()].filter((note) => note !== "");
    const settings = {
      ...{ command, target, contract: request.contract },
      maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES,
      seed: request.seed ?? 0,
    };
    const assets = await loadAssets(ROLLOUTS_PAGE);
    if (request.pages) {
      const pages = renderPages(collected, log, assets, settings);
      const { count, bytes } = await writePages(resolved, pages);
      const on = `on ${formatCount(count, "page")}, ${formatBytes(bytes)}`;
      return [`${output}: ${formatCount(rollouts, "rollout")} ${on}`, ...notes];
    }
    const { html, bytes, count } = renderReport(collected, log, assets, settings);
    await writeFiles([{ path: resolved, chunks: html }]);
    const left =
      count === rollouts ? "" : `, without ${formatCount(rollouts - count, "more rollout")}`;
    const shown = formatCount(count, "rollout");
    return [`${output}: ${shown}${left}, ${formatBytes(bytes)}`, ...notes];
  } finally {
    log.close();
    pairs.close();
    folder.remove();
  }
}

async function summarise(file: string, cwd: string): Promise<InputSummary> {
  const path = resolve(cwd, file);
  return { file, bytes: statSync(path).size, sha256: toDigits(await hashFile(path)) };
}

/** Relative URL of a file from a page in the folder `home`; undefined for standard input. */
function toAddress(file: string, home: string, cwd: string): string | undefined {
  if (file === STDIN) return undefined;
  const steps = relative(home, resolve(cwd, file)).split(sep).map(encodeURIComponent);
  // A name with a colon would be read as a scheme.
  return steps[0] === ".." ? steps.join("/") : [".", ...steps].join("/");
}

/** Throws UserError (exit 2) if the first page would replace anything but a page of a report. */
function requireOwnPage(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && readPage(path).includes(PAGE_MARK))) return;
  throw new UserError(
    `output ${path}: was not written by report: move it away, or choose another folder`,
    EXIT.usage,
  );
}

function readPage(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw toReadError(path, error);
  }
}

/** Writes pages to a folder, and removes those of a longer report that was there. */
async function writePages(
  folder: string,
  pages: Iterable<{ readonly html: readonly string[]; readonly bytes: number }>,
): Promise<{ readonly count: number; readonly bytes: number }> {
  requireOwnPage(join(folder, nameOfPage(1)));
  return await withStaging({}, async (staging) => {
    staging.makeFolders([folder]);
    let [count, bytes] = [0, 0];
    for (const { html, bytes: size } of pages) {
      count += 1;
      bytes += size;
      await staging.write(join(folder, nameOfPage(count)), html);
    }
    for (let old = count + 1; existsSync(join(folder, nameOfPage(old))); old += 1) {
      await staging.remove(join(folder, nameOfPage(old)));
    }
    await staging.commit();
    return { count, bytes };
  });
}
