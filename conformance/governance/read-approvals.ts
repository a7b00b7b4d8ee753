import { type ApprovalList, isApprovalList } from "#generated/index.js";
import { type DataFile, readDataFile } from "../fixtures/read-data-file.js";

/** The breaks that are meant, from the repository's root. */
export const APPROVALS_FILE = "schema/approvals.json";

/** Reads the approvals below `root`, or what is wrong with their file. */
export function readApprovals(root: string): DataFile<ApprovalList> {
  return readDataFile(root, APPROVALS_FILE, "ApprovalList", isApprovalList);
}
