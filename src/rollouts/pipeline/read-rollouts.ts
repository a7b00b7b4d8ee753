import { join } from "node:path";
import { crc32 } from "node:zlib";
import { RowLog } from "../../base/files/row-log.js";
import type { InputSource } from "../../base/files/source.js";
import { createTempFolder } from "../../base/files/temp.js";
import { addTo } from "../../base/group-by.js";
import { blockLines } from "../../base/jsonl/blocks.js";
import { FileBlocks, type ReadInput } from "../../base/jsonl/file-blocks.js";
import type { RecordLine, RecordReader } from "../../base/jsonl/reader.js";
import { type Progress, SILENT } from "../../base/run/progress.js";
import { hashText } from "../../base/text.js";
import { BranchReader } from "../wire/scan/branch-reader.js";
import { readLostLine } from "../wire/validation/lost-line.js";
import { groupPositions } from "./groups.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { LineReader, toSource } from "./reread.js";
import { RolloutIds } from "./rollout-ids.js";

/** The lines of one rollout, in the order of the inputs. A line that holds no record may be among them. */
export interface ReadRollout {
  readonly id: string;
  readonly lines: readonly RecordLine[];
}

export interface ReadRolloutsOptions {
  /** The id of the only rollout that is wanted. Default: all. */
  readonly id?: string | undefined;
  /** Called for each line that names no rollout. */
  readonly onUnplaced?: (line: RecordLine) => void;
  /** Called with the files and their hashes once all were read. Absent: they are not hashed. */
  readonly onRead?: (inputs: readonly ReadInput[]) => void;
  /** Stopped before the first rollout is yielded. */
  readonly progress?: Progress | undefined;
}

/**
 * Yields the rollouts of files in the order of their first lines, wherever their lines are. All files are read before
 * the first rollout is yielded; memory does not grow with them. A damaged line belongs to every rollout that it names.
 *
 * Throws UserError (exit 3) if a file cannot be read, or changes meanwhile.
 */
export async function* readRollouts(
  files: readonly string[],
  source: InputSource,
  { id: wanted, onUnplaced = () => {}, onRead, progress = SILENT }: ReadRolloutsOptions = {},
): AsyncGenerator<ReadRollout> {
  const folder = createTempFolder();
  const log = new RowLog(join(folder.path, "positions"), positionCodec);
  let lines = 0;
  const blocks = new FileBlocks(files, source, {
    documents: true,
    copies: folder.path,
    hashes: onRead !== undefined,
    onStored: (_, chunk) => progress.read(chunk.length, lines),
  });
  const reader = new LineReader(blocks.rereadable);
  const scout = new RolloutIds();
  const whole = new BranchReader("RolloutBranchRecord", "whole");
  try {
    for await (const { file, input, block } of blocks.read()) {
      for (const line of blockLines(block)) {
        lines += 1;
        const ids = scout.read(file, line, onUnplaced);
        const { offset, line: number, column, stored } = line;
        const place = { input, offset, line: number, column, length: stored.length };
        for (const id of ids) {
          if (wanted !== undefined && id !== wanted) continue;
          log.add({ ...place, hash: hashText(id), checksum: crc32(stored) });
        }
      }
    }
    // The last chunk was counted before its lines were.
    progress.read(0, lines);
    progress.stop();
    onRead?.(blocks.inputs);
    for (const positions of groupPositions(log, folder.path)) {
      yield* readGroup(positions, reader, whole);
    }
  } finally {
    progress.stop();
    reader.close();
    log.close();
    folder.remove();
  }
}

/** The rollouts of lines whose ids have the same hash. */
function readGroup(
  positions: readonly LinePosition[],
  reader: LineReader,
  records: RecordReader,
): ReadRollout[] {
  const rollouts = new Map<string, RecordLine[]>();
  for (const position of positions) {
    const { file, stored } = reader.read(position);
    const line = toSource(position, stored);
    if (line === undefined) continue;
    const record = records.read(file, line);
    for (const id of readLostLine(record, line).ids) {
      if (hashText(id) === position.hash) addTo(rollouts, id, record);
    }
  }
  return [...rollouts].map(([id, lines]) => ({ id, lines }));
}
