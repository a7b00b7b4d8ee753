import type { EntryTypeName } from "#generated/index.js";
import type { InputSource } from "../../files/source.js";
import { type FindingList, toPartLimits } from "../../findings/finding-list.js";
import { SpareMemory } from "../../jsonl/buffer-pool.js";
import { addNoRecords } from "../../validation/check-block.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { type FileBlocksOptions, fileBlocks } from "../parallel/file-blocks.js";
import { mapOrdered } from "../parallel/map-ordered.js";
import { openPool } from "../parallel/open-pool.js";
import { BranchLog } from "./branch-log.js";

export interface CheckFilesRequest extends FileBlocksOptions {
  readonly files: readonly string[];
  /** What every line has to be; undefined: what its shape suggests. */
  readonly type: EntryTypeName | undefined;
  readonly severities: RuleSeverities;
  /** Threads, from 1. */
  readonly workers: number;
}

/** What was looked at besides the lines. */
export interface CheckedFiles {
  /** Rollouts that were held against the rules for them. */
  readonly rollouts: number;
  /** Whether there are none because lines are invalid. */
  readonly skippedRollouts: boolean;
}

/**
 * Streams the lines of JSONL files through all checks; what is wrong goes to `findings`: first that of
 * lines, in their order, then that of rollouts, in the order of their first branches. A rollout is judged
 * when all files are read, and as a whole, wherever its branches stand. When any line is invalid none is:
 * nobody can say which rollout it is missing from.
 *
 * Throws UserError (exit 3) for a file that cannot be read, and when the disk is full.
 */
export async function checkFiles(
  { files, type, severities, workers, ...options }: CheckFilesRequest,
  findings: FindingList,
  source: InputSource,
): Promise<CheckedFiles> {
  const memory = new SpareMemory();
  const branches = new BranchLog(severities);
  const { pool, blocks } = await openPool(fileBlocks(files, source, { ...options, memory }), {
    workers,
    worthBytes: options.blockBytes,
  });
  let invalid = 0;
  let holdsBranches = false;
  try {
    const { maxErrors } = toPartLimits(findings.limits);
    const checked = mapOrdered(blocks, pool.concurrency, ({ file, input, block }) =>
      pool.run(
        "checkBlock",
        { file, input, block, type, severities, maxErrors },
        block.bytes ? [block.bytes.buffer] : [],
      ),
    );
    for await (const { tally, invalid: inBlock, branches: rows, buffers } of checked) {
      findings.addTally(tally);
      invalid += inBlock;
      holdsBranches ||= rows.length > 0;
      if (invalid === 0) branches.append(rows);
      memory.giveBack(buffers);
    }
    addNoRecords(findings, files);
    if (invalid > 0) return { rollouts: 0, skippedRollouts: holdsBranches };
    const rollouts = await branches.judge({ files, source }, findings);
    return { rollouts, skippedRollouts: false };
  } finally {
    branches.close();
    await pool.close();
  }
}
