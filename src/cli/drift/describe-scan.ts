import type { ScannedTree } from "../../drift/scan/forks.js";
import { SKIPPED_FOLDERS } from "../../drift/trees/tree.js";
import { formatCount } from "../../text.js";

/** What a scan looked at, and what it left out, for the summary. */
export function describeScan({
  files,
  candidates,
  binary,
}: Omit<ScannedTree, "findings">): string[] {
  return [
    `${formatCount(files, "file")} scanned, without ${SKIPPED_FOLDERS.join(" and ")}`,
    `${formatCount(candidates, "file")} looked into`,
    ...(binary > 0 ? [`${formatCount(binary, "binary file")}`] : []),
  ];
}
