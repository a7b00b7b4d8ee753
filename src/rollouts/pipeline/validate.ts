import { join } from "node:path";
import type { EntryTypeName } from "#generated/index.js";
import { decodeRows, RowLog } from "../../base/files/row-log.js";
import { displayName, type InputSource } from "../../base/files/source.js";
import type { FindingList } from "../../base/findings/finding-list.js";
import {
  type LineRun,
  type LinesOutcome,
  type LinesRequest,
  runLines,
} from "../../base/run/run-lines.js";
import { MAX_SEEN, SeenHashes } from "../../base/seen-hashes.js";
import type { ScoreWeights } from "../wire/scoring/score.js";
import { type BranchRow, branchCodec } from "../wire/validation/branch-rows.js";
import type { CheckJob } from "../wire/validation/check-block.js";
import { checkBranches } from "../wire/validation/check-record.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";
import { TrainerReport } from "../wire/validation/trainer-rows.js";
import { groupPositions, splitCollisions } from "./groups.js";
import { LineReader, toUnreadRecord } from "./reread.js";
import { mapBlocks, type PoolOptions } from "./workers.js";

export interface CheckFilesRequest
  extends LinesRequest,
    PoolOptions,
    Pick<CheckJob, "target" | "aids"> {
  /** The type that every line must have. Undefined: inferred from the shape of each record. */
  readonly type: EntryTypeName | undefined;
  readonly severities: RuleSeverities;
  /** The weights with which the records were scored. */
  readonly weights: ScoreWeights;
}

/** What was checked besides single lines. */
interface CheckedRollouts {
  /** Number of rollouts that were checked. */
  readonly rollouts: number;
  /** Number of rollouts that were not checked because an invalid line may belong to them. */
  readonly skippedRollouts: number;
}

/** Rows for trainers among the lines. */
interface CheckedRows {
  /** Number of rows by the trainers that they were read for, joined with commas. */
  readonly trainerRows: ReadonlyMap<string, number>;
}

/**
 * Streams the lines of JSONL files through all checks and gives the faults: first those of lines, in order, then those of
 * rollouts, in the order of their first branches. Rollouts are checked after all files are read, because their branches
 * may be scattered. Those that an invalid line may belong to are not checked: see `BranchLog`. Branches whose only fault
 * is a rank of 0 are checked with their rollout.
 *
 * Throws UserError (exit 3) if a file cannot be read or the disk is full.
 */
export function checkFiles(
  { type, severities, weights, target, aids, ...request }: CheckFilesRequest,
  source: InputSource,
): Promise<CheckedRollouts & CheckedRows & LinesOutcome> {
  return runLines(request, source, async (run) => {
    const { findings } = run;
    const branches = new BranchLog(severities, run);
    const checked = mapBlocks(
      "checkBlock",
      request,
      (memory) => run.blocks({ documents: true, memory, keepsNulls: target !== undefined }),
      (block) => ({
        ...block,
        ...{ type, severities, context: { weights }, limits: findings.partLimits },
        ...{ target, aids },
      }),
    );
    const trainers = new TrainerReport();
    for await (const { tally, input, isUnplaced, branches: rows, trainers: part } of checked) {
      findings.addTally(tally);
      trainers.add(displayName(request.files[input] ?? ""), part);
      if (isUnplaced) branches.spareInput(input);
      branches.append(rows);
    }
    const reader = run.closing(new LineReader(run.input.rereadable));
    for (const fault of trainers.findFaults()) findings.addLocated({ ...fault, column: 1 });
    const checkedRollouts = branches.check(request.files, reader, findings);
    return { result: { ...checkedRollouts, trainerRows: trainers.counts } };
  });
}

/**
 * Checks rollouts during reading, as long as the branches of each are adjacent and have no faults. If that
 * holds to the end, they need not be checked again.
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

  /** Adds encoded rows. */
  add(numbers: Float64Array): void {
    for (const row of decodeRows(numbers, branchCodec)) {
      if (!this.#isSettled) return;
      if (isLost(row)) this.#isSettled = false;
      if (row.hash !== this.#latest[0]?.hash) this.#begin(row);
      this.#latest.push(row);
    }
  }

  /** Returns the number of rollouts, or undefined if they have to be checked again. */
  end(): number | undefined {
    this.#check();
    return this.#isSettled ? this.#seen.size : undefined;
  }

  #begin({ hash }: BranchRow): void {
    this.#check();
    this.#latest = [];
    if (this.#seen.add(hash) || this.#seen.size > this.#maxSeen) this.#isSettled = false;
  }

  #check(): void {
    const [first] = this.#latest;
    if (this.#latest.some(({ otherHash }) => otherHash !== first?.otherHash))
      this.#isSettled = false;
    if (checkBranches(this.#latest, this.#severities).length > 0) this.#isSettled = false;
  }
}

function isLost({ length }: BranchRow): boolean {
  return length === 0;
}

/**
 * Logs on disk what the rollout rules need to know about the branches, so that memory stays bounded. A rollout that may
 * lack a branch is not checked. It may if an invalid line names it. An invalid line that names no rollout may belong to
 * every rollout with a branch in the same input, and to every rollout whose branches are in several inputs.
 */
export class BranchLog {
  readonly #severities: RuleSeverities;
  readonly #adjacent: AdjacentRollouts;
  readonly #sparedInputs = new Set<number>();
  readonly #run: Pick<LineRun, "folder" | "closing">;
  #rows: RowLog<BranchRow> | undefined;

  /** `run` has the folder of the log. */
  constructor(severities: RuleSeverities, run: Pick<LineRun, "folder" | "closing">) {
    this.#severities = severities;
    this.#adjacent = new AdjacentRollouts(severities);
    this.#run = run;
  }

  /** Appends encoded rows. Throws UserError (exit 3) if the disk is full. */
  append(numbers: Float64Array): void {
    if (numbers.length === 0) return;
    this.#rows ??= this.#run.closing(new RowLog(join(this.#run.folder, "branches"), branchCodec));
    this.#rows.append(numbers);
    this.#adjacent.add(numbers);
  }

  /** Call it if an input has an invalid line that may belong to any rollout. */
  spareInput(input: number): void {
    this.#sparedInputs.add(input);
  }

  /** Checks all rollouts. `files` are the inputs that the rows refer to. */
  check(files: readonly string[], reader: LineReader, findings: FindingList): CheckedRollouts {
    if (this.#rows === undefined) return { rollouts: 0, skippedRollouts: 0 };
    const clean = this.#sparedInputs.size > 0 ? undefined : this.#adjacent.end();
    if (clean !== undefined) return { rollouts: clean, skippedRollouts: 0 };
    let rollouts = 0;
    let skippedRollouts = 0;
    for (const sameHash of groupPositions(this.#rows, this.#run.folder)) {
      for (const branches of splitCollisions(sameHash)) {
        if (branches.every(isLost)) continue;
        if (this.#mayLackBranch(branches)) {
          skippedRollouts += 1;
          continue;
        }
        rollouts += 1;
        for (const { branch, ...fault } of checkBranches(branches, this.#severities)) {
          const row = branches[branch];
          if (row === undefined) continue;
          const file = displayName(files[row.input] ?? "");
          // The line is needed only for the column of a finding that may be listed.
          const line = findings.isListing
            ? reader.readRecord(file, row)
            : toUnreadRecord(file, row.line);
          findings.add(line, [fault]);
        }
      }
    }
    return { rollouts, skippedRollouts };
  }

  #mayLackBranch(rows: readonly BranchRow[]): boolean {
    if (rows.some(isLost)) return true;
    if (this.#sparedInputs.size === 0) return false;
    return rows.some(({ input }) => this.#sparedInputs.has(input) || input !== rows[0]?.input);
  }
}
