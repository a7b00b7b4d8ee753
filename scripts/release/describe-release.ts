import { describeBreak } from "../../conformance/versions/approvals.js";
import { printVersion } from "../../src/schemas/version.js";
import type { PlannedRelease } from "./requirement.js";

/** What is published, what it is for those who use the schema, and what it breaks. */
export function describeRelease({ bump, change, file, version }: PlannedRelease): string {
  const { breaks, entry, last } = change;
  const after = last === undefined ? "" : ` after ${printVersion(last.version)}`;
  const lines = breaks.flatMap((each) => describeBreak(each).split("\n"));
  return [
    `${entry.name} ${version} (${bump}${after}): ${file}`,
    ...lines.map((line) => `  ${line}`),
  ].join("\n");
}
