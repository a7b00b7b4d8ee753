import { relative, resolve } from "node:path";
import type { TargetName } from "#generated/index.js";
import { toSlashes } from "../../base/files/inputs.js";
import { FileFault, toFindings } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { escapeControls, formatCount, suggestName } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { compareFiles, type Difference } from "../../contract/codegen/compare-files.js";
import { type Generation, generateFiles } from "../../contract/codegen/generate-files.js";
import {
  DEFAULT_TARGETS,
  type GenerationPlan,
  planFiles,
  readPlan,
} from "../../contract/codegen/plan.js";
import { targets } from "../../contract/codegen/targets/index.js";
import { writeGenerated } from "../../contract/codegen/write-files.js";
import type { CommandContext, CommandInput } from "../command.js";
import { reportRecovery } from "../summary.js";
import { describeDifference, describeGeneration, describeImports } from "./describe.js";

/** Generates the code of the named schema files, or of those in the configuration; only compares it with `--check`. */
export async function runGenerate(input: CommandInput, context: CommandContext): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const plan = choosePlan(input, context);
  try {
    const generation = await generateFiles(plan);
    for (const file of generation.unregistered) {
      stderr.write(`${escapeControls(file)}: is in no registry: add it with its owner and users\n`);
    }
    if (input.options.flag("check")) {
      const differences = compareFiles(generation);
      for (const each of differences) stdout.write(`${describeDifference(each)}\n`);
      if (differences.length === 0) {
        stdout.write(describeGeneration(generation, []));
        return EXIT.ok;
      }
      const { length } = generation.files;
      stdout.write(
        `${differences.length} of ${formatCount(length, "generated file")} ${differences.length === 1 ? "is" : "are"} not up to date.  Fix:  ${toWriting(input, context)}\n`,
      );
      return EXIT.findings;
    }
    const differences = await writeGenerated(generation, reportRecovery(context));
    stdout.write(describeGeneration(generation, differences));
    if (isNew(generation, differences)) stdout.write(describeImports(generation));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    for (const finding of toFindings(plan.root, error.places)) {
      const { file, line, column, pointer, message } = finding;
      const parts = [`${escapeControls(file)}:${line}:${column}`, pointer, message];
      stderr.write(`${parts.filter((part) => part !== "").join("  ")}\n`);
    }
    if (!input.options.flag("check")) stderr.write("nothing written\n");
    return EXIT.findings;
  }
}

/** The same command line without `--check`. */
function toWriting({ line }: CommandInput, { program }: CommandContext): string {
  return line.replace(/^\S+/, () => program).replace(/ --check(?= |$)/, "");
}

/** Whether a package or index was written for the first time, so that nobody imports it yet. */
function isNew({ files }: Generation, differences: readonly Difference[]): boolean {
  const entries = differences.filter(({ path }) => /\/(?:index\.js|__init__\.py)$/.test(path));
  return files.length > 0 && entries.some(({ kind }) => kind === "missing");
}

function choosePlan(
  { operands, options }: CommandInput,
  { cwd, program }: CommandContext,
): GenerationPlan {
  const chosen = options.optionalTexts("target");
  const unknown = chosen?.find((name) => !isTarget(name));
  if (unknown !== undefined) {
    const names = Object.keys(targets);
    throw new UserError(
      `--target ${escapeControls(unknown)}: is not one of ${names.join(", ")}${suggestName(unknown, names)}`,
      EXIT.usage,
    );
  }
  const out = options.optionalText("out");
  if (operands.length > 0) {
    const sources = operands.map((operand) => toSlashes(relative(cwd, resolve(cwd, operand))));
    const folder = toSlashes(relative(cwd, resolve(cwd, out ?? "generated"))) || ".";
    return planFiles(cwd, sources, {
      out: folder,
      targets: chosen?.filter(isTarget) ?? DEFAULT_TARGETS,
    });
  }
  const plan = readPlan(cwd, chosen);
  if (plan === undefined) {
    throw new UserError(
      `name schema files, such as: ${program} generate task.schema.json; or have ${program} init --write find those of this repository: no ${CONFIG_FILE} here has "schemas"`,
      EXIT.usage,
    );
  }
  if (out === undefined) return plan;
  throw new UserError(
    `--out is for named files: ${CONFIG_FILE} says where its outputs lie`,
    EXIT.usage,
  );
}

function isTarget(name: string): name is TargetName {
  return Object.hasOwn(targets, name);
}
