import { packageVersion } from "../../base/package.js";
import { loadAssets } from "../../base/page/assets.js";
import { escapeMarkdown, toCode } from "../../base/reporters/markdown.js";
import { describeEntry, identifySchema } from "../../contract/compat/versions/changelog.js";
import type { ComparedRange, UncomparedSchema } from "../../contract/compat/versions/compare.js";
import type { SchemaComparison } from "../../contract/pages/contract-data.js";
import { describeComparison } from "../../contract/pages/describe-comparison.js";
import { CONTRACT_PAGE, renderContract } from "../../contract/pages/write-contract.js";
import { PROGRAM } from "../program.js";
import { printConditions } from "./describe.js";

/** A page about changes, with all compatibility modes and all proofs. `command` is the command line that makes it. */
export async function printHtml(
  { compared, uncompared }: ComparedRange,
  command: string,
): Promise<string> {
  const described = compared.map((each, index) =>
    describeComparison({
      ...each,
      id: String(index + 1),
      status: each.status ?? "changed",
      subject: identifySchema(each),
      changes: each.shown,
      entry: describeEntry(each) + printConditions(each.conditions),
    }),
  );
  const index = {
    name: `${PROGRAM} diff`,
    command,
    versions: [["rollout-wire", packageVersion()] as const],
    schemas: [],
    comparisons: [...described, ...uncompared.map(describeUncompared)],
    copies: undefined,
  };
  return renderContract(index, await loadAssets(CONTRACT_PAGE)).join("");
}

/** A schema without verdicts: the page says why. */
function describeUncompared({
  name,
  status = "changed",
  message,
}: UncomparedSchema): SchemaComparison {
  return {
    ...{
      id: `not-compared-${name.replaceAll("/", ":")}`,
      schema: name,
      from: undefined,
      to: undefined,
    },
    ...{ status, old: name, new: name, bump: "not compared" },
    entry: `- ${toCode(name)} could not be compared: ${escapeMarkdown(message)}\n`,
    verdicts: [],
    changes: [],
  };
}
