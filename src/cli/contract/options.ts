import { Option } from "commander";

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
