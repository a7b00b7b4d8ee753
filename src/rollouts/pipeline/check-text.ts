import { decodeRows } from "../../base/files/row-log.js";
import type { Finding } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { groupBy } from "../../base/group-by.js";
import { blockLines } from "../../base/jsonl/blocks.js";
import { toRecordLine } from "../../base/jsonl/reader.js";
import { branchCodec } from "../wire/validation/branch-rows.js";
import { checkBlock } from "../wire/validation/check-block.js";
import { checkBranches } from "../wire/validation/check-record.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";
import { DEFAULT_CONTEXT } from "../wire/validation/rules/rule.js";
import { toUnreadRecord } from "./reread.js";

const ALL = { maxErrors: Number.POSITIVE_INFINITY, maxWarnings: undefined };

/**
 * What `validate` finds in a JSONL file whose bytes are in memory, in its words and at its places: lines in order, then
 * rollouts. `file` is its name for messages.
 */
export function checkText(
  file: string,
  text: Uint8Array,
  severities: RuleSeverities,
): readonly Finding[] {
  const block = { line: 1, offset: 0, bytes: new Uint8Array(text) };
  const findings = new FindingList(ALL);
  const job = { file, input: 0, block, type: undefined, severities, limits: ALL };
  const { tally, isUnplaced, branches } = checkBlock({ ...job, context: DEFAULT_CONTEXT });
  findings.addTally(tally);
  const rows = [...decodeRows(branches, branchCodec)];
  const rollouts = groupBy(rows, ({ hash, otherHash }) => `${hash} ${otherHash}`);
  const lines = new Map([...blockLines(block)].map((line) => [line.line, line]));
  for (const rollout of rollouts.values()) {
    // A line without a valid branch may belong to it.
    if (isUnplaced || rollout.some(({ length }) => length === 0)) continue;
    for (const { branch, ...fault } of checkBranches(rollout, severities)) {
      const line = rollout[branch]?.line ?? 1;
      const source = lines.get(line);
      const record = source ? toRecordLine(file, source) : toUnreadRecord(file, line);
      findings.add(record, [fault]);
    }
  }
  return findings.toReport("validate").findings;
}
