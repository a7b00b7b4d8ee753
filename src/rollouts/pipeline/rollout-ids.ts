import type { SourceLine } from "../../base/jsonl/blocks.js";
import type { RecordLine } from "../../base/jsonl/reader.js";
import { BranchReader, RULED_FIELDS } from "../wire/scan/branch-reader.js";
import { readLostLine } from "../wire/validation/lost-line.js";

/** Tells which rollouts lines belong to. Of a valid branch, only its id is parsed. */
export class RolloutIds {
  readonly #reader = new BranchReader("RolloutBranch", { fields: RULED_FIELDS, events: "ruled" });

  /**
   * Returns the ids of the rollouts that a line names: several if it is damaged and may be of any of them. Calls
   * `onUnplaced` with the record if there is none.
   */
  read(
    file: string,
    line: SourceLine,
    onUnplaced: (line: RecordLine) => void = () => {},
  ): readonly string[] {
    const id = this.#reader.idOf(line);
    if (id !== undefined) return [id];
    const record = this.#reader.read(file, line);
    const { ids } = readLostLine(record, line);
    if (ids.length === 0) onUnplaced(record);
    return ids;
  }
}
