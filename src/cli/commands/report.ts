import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { readEvalItems } from "../../decontamination/eval-items.js";
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
import { formatBytes, formatCount, quoteForShell } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";
import type { Command, CommandInput } from "../command.js";
import { parseCount } from "../option-parsers.js";
import { PROGRAM } from "../program.js";
import { startProgress } from "../progress.js";
import { pairTargetOption, readPairTarget } from "../show/read-views.js";
import { outlineOf } from "./outlines.js";

const MEGABYTE = 1_000_000;

/** Writes a page about rollouts, and says on stderr what is in it. */
export const report: Command = {
  ...outlineOf("report"),
  options: [
    new Option("-o, --output <file>", "the page to write").makeOptionMandatory(),
    new Option("--pairs <file...>", "exported pairs, whose lines the page shows as they are"),
    new Option("-e, --eval-items <file>", "mark what tasks share with this evaluation set"),
    pairTargetOption,
    new Option("--max-size <MB>", "size above which the page has a sample of the rollouts")
      .argParser(parseMegabytes)
      .default(20),
    new Option("--seed <n>", "seed of the sample").argParser(parseCount).default(0),
  ],
  examples: [
    "report rollouts.jsonl --output report.html",
    "report rollouts.jsonl --pairs dpo.jsonl --eval-items eval.jsonl --output report.html",
    "report 'runs/*.jsonl.gz' --target openai --max-size 50 --output report.html",
  ],
  async run(input, context) {
    const { operands, options } = input;
    const output = options.text("output");
    const files = await expandInputs(operands, context);
    const pairFiles = options.optionalTexts("pairs") ?? [];
    const evalFile = options.optionalText("evalItems");
    const read = [...files, ...pairFiles, ...(evalFile === undefined ? [] : [evalFile])];
    await requireFiles(read, context);
    const [path = ""] = await resolveOutputs([output], read, context.cwd);
    const evalItems = evalFile && (await readEvalItems(evalFile, {}, context));
    const target = readPairTarget(options);
    const folder = createTempFolder();
    const pairs = new ExportedPairs(folder.path);
    const log = new RolloutLog(folder.path);
    const progress = await startProgress(files, context);
    try {
      for (const file of pairFiles) await pairs.read(file, context);
      const collected = await collectRollouts(
        { files, target, evalItems: evalItems || undefined, pairs, progress },
        log,
        context,
      );
      if (collected.stats.rollouts === 0) {
        throw new UserError(`no valid branch in ${formatCount(files.length, "file")}`, EXIT.usage);
      }
      const { html, leftOut } = renderReport(collected, log, await loadAssets("rollouts"), {
        command: describeCommand(input),
        target,
        contract: describeContract(),
        maxBytes: options.count("maxSize") * MEGABYTE,
        seed: options.count("seed"),
      });
      await writeFiles([{ path, chunks: html }]);
      const size = html.reduce((sum, { length }) => sum + length, 0);
      const left = leftOut === 0 ? "" : `, without ${formatCount(leftOut, "more rollout")}`;
      const shown = formatCount(collected.stats.rollouts - leftOut, "rollout");
      context.stderr.write(`${output}: ${shown}${left}, ${formatBytes(size)}\n`);
      return EXIT.ok;
    } finally {
      progress.stop();
      log.close();
      pairs.close();
      folder.remove();
    }
  },
};

function parseMegabytes(text: string): number {
  const size = parseCount(text);
  if (size === 0) throw new InvalidArgumentError("It must be at least 1 MB.");
  return size;
}

/** The command line, for people who make the page again. */
function describeCommand({ operands, options }: CommandInput): string {
  const evalItems = options.optionalText("evalItems");
  const words = [
    ...["report", ...operands],
    ...(options.optionalTexts("pairs") ?? []).flatMap((file) => ["--pairs", file]),
    ...(evalItems === undefined ? [] : ["--eval-items", evalItems]),
    ...["--target", options.text("target"), "--output", options.text("output")],
  ];
  return [PROGRAM, ...words.map(quoteForShell)].join(" ");
}

/** Version of the format, and the hash that identifies this copy of it. */
function describeContract(): string {
  const schema = readFileSync(join(packageRoot(), "schema/rollout-wire.schema.json"), "utf8");
  return `${ROLLOUT_BRANCH_SCHEMA_VERSION} ${schemaHashes(schema).canonical}`;
}
