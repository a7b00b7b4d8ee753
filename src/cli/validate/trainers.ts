import { resolve } from "node:path";
import { Option } from "commander";
import { formatCount } from "../../base/text.js";
import type { CheckFilesRequest } from "../../rollouts/pipeline/validate.js";
import { formats, isTrainerId } from "../../rollouts/wire/preflight/formats/index.js";
import type { CommandContext, OptionValues } from "../command.js";
import { parseCount } from "../option-parsers.js";
import { usageError } from "../program.js";

/** Options of `validate` about files for trainers. */
export const trainerOptions: readonly Option[] = [
  new Option("--target <trainer>", "check every line as this trainer reads it")
    .choices(Object.keys(formats))
    .conflicts(["type", "schema", "weights"]),
  new Option(
    "--chat-template <file>",
    "render every row with this Jinja template (or its tokenizer_config.json)",
  ),
  new Option("--max-tokens <n>", "find rows of more tokens, counted by --tokenizer").argParser(
    parseCount,
  ),
  new Option("--tokenizer <file>", "a Hugging Face tokenizer.json, for --max-tokens"),
];

/** The trainer whose files these are, and the files that tell more of its rows. Throws UserError if one cannot be read. */
export async function readTrainer(
  options: OptionValues,
  context: CommandContext,
): Promise<Pick<CheckFilesRequest, "target" | "aids">> {
  const name = options.optionalText("target");
  const target = name !== undefined && isTrainerId(name) ? name : undefined;
  const chatTemplate = options.optionalText("chatTemplate");
  const tokenizer = options.optionalText("tokenizer");
  const maxTokens = options.optionalCount("maxTokens");
  const isAided = [chatTemplate, tokenizer, maxTokens].some((each) => each !== undefined);
  if (isAided && target === undefined) {
    const problem = "--chat-template, --max-tokens and --tokenizer require --target";
    throw usageError(problem, context, "validate");
  }
  if ((tokenizer === undefined) !== (maxTokens === undefined)) {
    throw usageError("--max-tokens and --tokenizer require each other", context, "validate");
  }
  if (!isAided) return { target };
  const find = (file: string | undefined) => file && resolve(context.cwd, file);
  const aids = { chatTemplate: find(chatTemplate), tokenizer: find(tokenizer), maxTokens };
  // Before any line is read. Lazy, because a template engine and a tokenizer are large.
  const { loadAids } = await import("../../rollouts/pipeline/row-aids.js");
  await loadAids(aids);
  return { target, aids };
}

/** Lines that say for which trainers rows were read. */
export function describeRows(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].map(([names, count]) => {
    const shared = names.includes(",") ? ": checked for what these share; --target names one" : "";
    return `${formatCount(count, "row")} read as those of ${names.replaceAll(",", ", ")}${shared}\n`;
  });
}
