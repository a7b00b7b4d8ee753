import { appendFileSync, truncateSync } from "node:fs";
import { type Damage, zero } from "./damaged-log.js";

const CUTS: readonly Damage[] = [
  {
    name: "cut: middle segment, within a record",
    log: "closed",
    damage: (log) => log.cut(4, 6, 20),
    delivered: 65,
    rejected: 1,
    dropped: 4,
  },
  {
    name: "cut: middle segment, after a record",
    log: "closed",
    damage: (log) => log.cut(4, 6, 0),
    delivered: 65,
    dropped: 5,
  },
  {
    name: "cut: middle segment, within a checksum",
    log: "closed",
    damage: (log) => log.cut(4, 6, 4),
    delivered: 65,
    rejected: 1,
    dropped: 4,
  },
  {
    name: "cut: middle segment, within the header",
    log: "closed",
    damage: (log) => log.cut(4, 0, 12),
    delivered: 60,
    rejected: 1,
    dropped: 9,
  },
  {
    name: "cut: middle segment, after the header",
    log: "closed",
    damage: (log) => log.cut(4, 1, 0),
    delivered: 60,
    dropped: 10,
  },
  {
    name: "cut: middle segment, the last newline",
    log: "closed",
    damage: (log) => log.cut(4, 11, -1),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "cut: first segment, within a record",
    log: "closed",
    damage: (log) => log.cut(1, 2, 30),
    delivered: 61,
    rejected: 1,
    dropped: 8,
  },
  {
    name: "cut: last segment, within a record",
    log: "closed",
    damage: (log) => log.cut(7, 6, 20),
    delivered: 65,
    rejected: 1,
    dropped: 4,
  },
  {
    name: "cut: last segment, after a record",
    log: "closed",
    damage: (log) => log.cut(7, 6, 0),
    delivered: 65,
    dropped: 5,
  },
  {
    name: "cut: last segment, to nothing",
    log: "closed",
    damage: (log) => truncateSync(log.segment(7), 0),
    delivered: 60,
    dropped: 10,
  },
  {
    name: "cut: first segment, to nothing",
    log: "closed",
    damage: (log) => truncateSync(log.segment(1), 0),
    delivered: 60,
    dropped: 10,
  },
  {
    name: "cut: all segments, to nothing",
    log: "closed",
    damage: (log) => {
      for (let number = 1; number <= 7; number += 1) truncateSync(log.segment(number), 0);
    },
    delivered: 0,
    dropped: 70,
  },
  {
    name: "cut: last segment of a killed process",
    log: "killed",
    damage: (log) => log.cut(7, 6, 0),
    delivered: 65,
    unknown: 5,
  },
  {
    name: "cut: first bytes of a segment",
    log: "closed",
    damage: (log) => log.edit(log.segment(3), (text) => text.slice(10)),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "cut: half-delivered segment, a delivered record",
    log: "half",
    damage: (log) => log.editLines(3, (lines) => lines.toSpliced(2, 1)),
    delivered: 46,
  },
];

const ZEROS: readonly Damage[] = [
  {
    name: "zeroed: a whole middle segment",
    log: "closed",
    damage: (log) => log.edit(log.segment(4), (text) => zero(text, 0)),
    delivered: 60,
    rejected: 1,
    dropped: 9,
  },
  {
    name: "zeroed: a whole last segment",
    log: "closed",
    damage: (log) => log.edit(log.segment(7), (text) => zero(text, 0)),
    delivered: 60,
    rejected: 1,
    dropped: 9,
  },
  {
    name: "zeroed: within a record",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => zero(line, 20, 25)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "zeroed: a newline and both its sides",
    log: "closed",
    damage: (log) =>
      log.edit(log.segment(4), (text) => {
        const end = text.indexOf("\n", 200);
        return zero(text, end - 5, end + 5);
      }),
    delivered: 68,
    rejected: 1,
    dropped: 1,
  },
  {
    name: "zeroed: the tail of the last segment of a killed process",
    log: "killed",
    damage: (log) => {
      log.cut(7, 9, 0);
      appendFileSync(log.segment(7), "\0".repeat(60));
    },
    delivered: 68,
    rejected: 1,
    unknown: 1,
  },
];

/** Damages to the length of segments. */
export const SEGMENT_DAMAGES: readonly Damage[] = [...CUTS, ...ZEROS];
