import { packageVersion } from "../../base/package.js";
import { loadAssets } from "../../base/page/assets.js";
import { describeEntry, identifySchema } from "../../contract/compat/versions/changelog.js";
import type { ComparedSchema } from "../../contract/compat/versions/compare.js";
import { describeComparison } from "../../contract/pages/describe-comparison.js";
import { CONTRACT_PAGE, renderContract } from "../../contract/pages/write-contract.js";
import { PROGRAM } from "../program.js";

/** A page about changes, with all compatibility modes and all proofs. `command` is the command line that makes it. */
export async function printHtml(
  compared: readonly ComparedSchema[],
  command: string,
): Promise<string> {
  const index = {
    name: `${PROGRAM} diff`,
    command,
    versions: [["rollout-wire", packageVersion()] as const],
    schemas: [],
    comparisons: compared.map((each, index) =>
      describeComparison({
        ...each,
        id: String(index + 1),
        status: each.status ?? "changed",
        subject: identifySchema(each.versions, each.comparison),
        changes: each.shown,
        entry: describeEntry(each),
      }),
    ),
    copies: undefined,
  };
  return renderContract(index, await loadAssets(CONTRACT_PAGE)).join("");
}
