import { type LinePosition, POSITION_WIDTH, positionAt } from "./line-position.js";
import { type RowCodec, RowLog } from "./row-log.js";

const POSITIONS: RowCodec<LinePosition> = {
  width: POSITION_WIDTH,
  toNumbers: ({ hash, input, offset, length, line, checksum }) => [
    hash,
    input,
    offset,
    length,
    line,
    checksum,
  ],
  fromNumbers: positionAt,
};

/** Positions on disk. */
export class PositionLog extends RowLog<LinePosition> {
  /** `path` must not exist. */
  constructor(path: string) {
    super(path, POSITIONS);
  }
}
