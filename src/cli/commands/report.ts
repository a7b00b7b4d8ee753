import { InvalidArgumentError, Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { EXIT } from "../../base/user-error.js";
import { DEFAULT_MAX_BYTES, writePage } from "../../rollouts/look/report/write-page.js";
import type { Command } from "../command.js";
import { CONTRACT, contractOptions } from "../contract/options.js";
import { requireNoLogs } from "../log-files.js";
import { parseCount } from "../option-parsers.js";
import { startProgress } from "../progress.js";
import { describeFormat } from "../schemas.js";
import { createTargetOption, readTarget } from "../target-option.js";

const MEGABYTE = 1_000_000;

const outputOption = new Option(
  "-o, --output <file>",
  "the page to write, or the folder of --pages",
).makeOptionMandatory();

const rolloutOptions: readonly Option[] = [
  new Option("--pairs <file...>", "exported pairs, whose lines the page shows as they are"),
  new Option("-e, --eval-items <file>", "mark what tasks share with this evaluation set"),
  createTargetOption(),
  new Option("--max-size <MB>", "size above which the page has a sample of the rollouts")
    .argParser(parseMegabytes)
    .default(DEFAULT_MAX_BYTES / MEGABYTE),
  new Option("--pages", "write a folder of pages with all rollouts instead of a sample"),
  new Option("--seed <n>", "seed of the sample").argParser(parseCount).default(0),
];

/** Writes a page about rollouts or about the contract, and says on stderr what is in it. */
export const command: Command = {
  options: [outputOption, ...rolloutOptions, ...contractOptions],
  examples: [
    "report rollouts.jsonl --output report.html",
    "report rollouts.jsonl --pairs dpo.jsonl --eval-items eval.jsonl --output report.html",
    "report 'runs/*.jsonl.gz' --target openai --max-size 50 --output report.html",
    "report runs/ --pages --output report/",
    "report contract --output contract.html",
  ],
  async run(input, context) {
    const { operands, options } = input;
    if (operands[0] === CONTRACT) {
      options.refuse(namesOf(rolloutOptions), "is an option of a report about rollouts");
      // Lazy, because Ajv is large and a report about rollouts does not need it.
      return await (await import("../contract/run.js")).runContract(input, context);
    }
    const which = `is an option of report ${CONTRACT}; for a file of that name, write ./${CONTRACT}`;
    options.refuse(namesOf(contractOptions), which);
    await requireNoLogs(await findInputs(operands, context), context);
    const lines = await writePage(
      {
        inputs: operands,
        pairs: options.optionalTexts("pairs") ?? [],
        evalItems: options.optionalText("evalItems"),
        target: readTarget(options),
        output: options.text("output"),
        pages: options.flag("pages"),
        maxBytes: options.count("maxSize") * MEGABYTE,
        seed: options.count("seed"),
        command: input.line,
        contract: describeFormat(),
        startProgress: (files) => startProgress(files, context),
      },
      context,
    );
    for (const line of lines) context.stderr.write(`${line}\n`);
    return EXIT.ok;
  },
};

/** The names of options as `OptionValues` knows them. */
function namesOf(options: readonly Option[]): string[] {
  return options.map((option) => option.attributeName());
}

function parseMegabytes(text: string): number {
  const size = parseCount(text);
  if (size === 0) throw new InvalidArgumentError("It must be at least 1 MB.");
  return size;
}
