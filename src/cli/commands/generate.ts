import { InvalidArgumentError, Option } from "commander";
import type { Command } from "../command.js";

/** The targets that anybody's schemas have. */
const TARGETS = ["typescript", "validators", "python", "pydantic", "reference"];

/** Prints what was written on stdout, with the lines that import it. */
export const command: Command = {
  options: [
    new Option("--out <dir>", "folder of the code of the named files (default: generated)"),
    new Option(
      "--target <names>",
      `what to generate, several with commas: ${TARGETS.join(", ")} (default: what the configuration says, else the first three)`,
    ).argParser(parseTargets),
    new Option("--check", "write nothing; exit 1 and show the lines if a file is not up to date"),
  ],
  examples: [
    "generate task.schema.json",
    "generate schemas/*.json --out src/contracts --target typescript,validators",
    "generate",
    "generate --check",
  ],
  // Lazy, because generators are large, and help and completion do not need them.
  run: async (input, context) => (await import("../generate/run.js")).runGenerate(input, context),
};

function parseTargets(text: string, before: readonly string[] = []): readonly string[] {
  const given = text.split(/\s*,\s*/);
  if (given.every((each) => /^[a-z]+$/.test(each))) return [...before, ...given];
  throw new InvalidArgumentError(`Allowed choices are ${TARGETS.join(", ")}, several with commas.`);
}
