import { join } from "node:path";
import type { InputSource } from "../../files/source.js";
import { createTempFolder, type TempFolder } from "../../files/temp.js";
import type { FindingList } from "../../findings/finding-list.js";
import { type BranchRow, branchRows } from "../../validation/branch-rows.js";
import { checkBranches } from "../../validation/check-record.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { byOtherHash } from "../rollouts/by-other-hash.js";
import { groupPositions } from "../rollouts/group-positions.js";
import { RowLog } from "../rollouts/row-log.js";
import { LinesAgain } from "./lines-again.js";
import { RolloutsInARow } from "./rollouts-in-a-row.js";

export interface JudgeRequest {
  /** The files that the rows speak of. */
  readonly files: readonly string[];
  readonly source: InputSource;
}

/** Remembers on disk what the rules over rollouts have to know of the branches: memory stays bounded. */
export class BranchLog {
  readonly #severities: RuleSeverities;
  readonly #inARow: RolloutsInARow;
  #open: { readonly folder: TempFolder; readonly rows: RowLog<BranchRow> } | undefined;

  constructor(severities: RuleSeverities) {
    this.#severities = severities;
    this.#inARow = new RolloutsInARow(severities);
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
      for (const branches of byOtherHash(sameHash)) {
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
