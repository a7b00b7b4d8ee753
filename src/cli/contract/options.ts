import { Option } from "commander";
import { EXIT, UserError } from "../../user-error.js";
import type { OptionValues } from "../command.js";

/** The word in place of files with which `report` is about the contract. */
export const CONTRACT = "contract";

/** Options of `report contract`. */
export const contractOptions: readonly Option[] = [
  new Option(
    "-r, --repo <name=place...>",
    `of ${CONTRACT}: repositories whose copies are shown, as in drift`,
  ),
  new Option("--root <dir>", `of ${CONTRACT}: checkout with the schemas (default: this package)`),
];

/** Throws UserError (exit 2) if a report about rollouts has an option of the contract. */
export function refuseContractOptions(options: OptionValues): void {
  if (options.optionalTexts("repo") === undefined && options.optionalText("root") === undefined) {
    return;
  }
  throw new UserError(
    `--repo and --root are options of report ${CONTRACT}; for a file of that name, write ./${CONTRACT}`,
    EXIT.usage,
  );
}
