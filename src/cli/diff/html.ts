import { packageVersion } from "../../package.js";
import { loadAssets } from "../../report/assets.js";
import { describeComparison } from "../../report/contract/describe-comparison.js";
import { renderContract } from "../../report/contract/write-contract.js";
import { quoteForShell } from "../../text.js";
import { PROGRAM } from "../program.js";
import { describeComparedEntry, identifySchema } from "./changelog.js";
import type { ComparedSchema } from "./compare.js";

/** A page about changes, with all compatibility modes and all proofs. */
export async function printHtml(
  compared: readonly ComparedSchema[],
  operands: readonly string[],
): Promise<string> {
  const index = {
    name: `${PROGRAM} diff`,
    command: [PROGRAM, "diff", ...operands.map(quoteForShell), "--format html"].join(" "),
    versions: [["rollout-wire", packageVersion()] as const],
    schemas: [],
    comparisons: compared.map((each, index) =>
      describeComparison({
        ...each,
        id: String(index + 1),
        status: each.status ?? "changed",
        subject: identifySchema(each.versions, each.comparison),
        changes: each.shown,
        entry: describeComparedEntry(each),
      }),
    ),
    copies: undefined,
  };
  return renderContract(index, await loadAssets("contract")).join("");
}
