import { join } from "node:path";
import type { EntryTypeName } from "#generated/index.js";
import type { InputSource } from "../files/source.js";
import { createTempFolder, type TempFolder } from "../files/temp.js";
import { type FindingList, toPartLimits } from "../findings/finding-list.js";
import { BufferPool } from "../jsonl/buffer-pool.js";
import { type BranchRow, branchRows } from "../validation/branch-rows.js";
import { addNoRecords } from "../validation/check-block.js";
import { checkBranches } from "../validation/check-record.js";
import type { RuleSeverities } from "../validation/profiles.js";
import { type FileBlocksOptions, fileBlocks } from "./file-blocks.js";
import { groupPositions, splitCollisions } from "./groups.js";
import { MAX_SEEN, SeenHashes } from "./joiner.js";
import { RowLog } from "./positions.js";
import { LinesAgain } from "./reread.js";
import { mapOrdered, openPool } from "./workers.js";

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
  const memory = new BufferPool();
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

/**
 * Holds rollouts against the rules while their branches come by, as long as the branches of each stand in a row and
 * nothing is wrong with them: then nobody has to look at them again.
 */
export class AdjacentRollouts {
  readonly #severities: RuleSeverities;
  readonly #maxSeen: number;
  readonly #seen = new SeenHashes();
  #latest: BranchRow[] = [];
  #isSettled = true;

  constructor(severities: RuleSeverities, maxSeen: number = MAX_SEEN) {
    this.#severities = severities;
    this.#maxSeen = maxSeen;
  }

  /** The next rows, as numbers. */
  add(numbers: Float64Array): void {
    for (let at = 0; this.#isSettled && at < numbers.length; at += branchRows.width) {
      const row = branchRows.fromNumbers(numbers, at);
      if (row.hash !== this.#latest[0]?.hash) this.#begin(row);
      this.#latest.push(row);
    }
  }

  /** How many rollouts there are, when no more rows follow; undefined where they have to be looked at again. */
  end(): number | undefined {
    this.#judge();
    return this.#isSettled ? this.#seen.size : undefined;
  }

  #begin({ hash }: BranchRow): void {
    this.#judge();
    this.#latest = [];
    if (this.#seen.add(hash) || this.#seen.size > this.#maxSeen) this.#isSettled = false;
  }

  #judge(): void {
    const [first] = this.#latest;
    if (this.#latest.some(({ otherHash }) => otherHash !== first?.otherHash))
      this.#isSettled = false;
    if (checkBranches(this.#latest, this.#severities).length > 0) this.#isSettled = false;
  }
}

export interface JudgeRequest {
  /** The files that the rows speak of. */
  readonly files: readonly string[];
  readonly source: InputSource;
}

/** Remembers on disk what the rules over rollouts have to know of the branches: memory stays bounded. */
export class BranchLog {
  readonly #severities: RuleSeverities;
  readonly #inARow: AdjacentRollouts;
  #open: { readonly folder: TempFolder; readonly rows: RowLog<BranchRow> } | undefined;

  constructor(severities: RuleSeverities) {
    this.#severities = severities;
    this.#inARow = new AdjacentRollouts(severities);
  }

  /** Appends rows of numbers. Throws UserError (exit 3) when the disk is full. */
  append(numbers: Float64Array): void {
    if (numbers.length === 0) return;
    this.#opened().rows.append(numbers);
    this.#inARow.add(numbers);
  }

  /** Holds every rollout against the rules; gives how many there are. */
  async judge({ files, source }: JudgeRequest, findings: FindingList): Promise<number> {
    if (this.#open === undefined) return 0;
    const clean = this.#inARow.end();
    if (clean !== undefined) return clean;
    const { rows, folder } = this.#open;
    const lines = new LinesAgain(files, source);
    let rollouts = 0;
    for (const sameHash of groupPositions(rows, folder.path)) {
      for (const branches of splitCollisions(sameHash)) {
        rollouts += 1;
        for (const { branch, ...fault } of checkBranches(branches, this.#severities)) {
          const row = branches[branch];
          if (row === undefined) continue;
          // Only for its column, and only as long as that is printed.
          const line = await lines.find(row, findings.isListing);
          findings.add(line, [fault]);
        }
      }
    }
    return rollouts;
  }

  close(): void {
    this.#open?.rows.close();
    this.#open?.folder.remove();
    this.#open = undefined;
  }

  #opened(): { readonly rows: RowLog<BranchRow> } {
    if (this.#open === undefined) {
      const folder = createTempFolder();
      this.#open = { folder, rows: new RowLog(join(folder.path, "branches"), branchRows) };
    }
    return this.#open;
  }
}
