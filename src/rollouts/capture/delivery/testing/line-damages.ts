import { appendFileSync, readFileSync } from "node:fs";
import { type Damage, flip } from "./damaged-log.js";

const BITS: readonly Damage[] = [
  {
    name: "flipped bit: record",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => flip(line, line.length - 4)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "flipped bit: number of a record",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => flip(line, 9)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "flipped bit: batch of a record",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => flip(line, 12)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "flipped bit: checksum of a record",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => flip(line, 3)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "flipped bit: last record of a closed log",
    log: "closed",
    damage: (log) => log.editLine(7, 10, (line) => flip(line, 30)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "flipped bit: last record of a killed process",
    log: "killed",
    damage: (log) => log.editLine(7, 10, (line) => flip(line, 30)),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "flipped bit: header",
    log: "closed",
    damage: (log) => log.editLine(4, 0, (line) => flip(line, 15)),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "flipped bit: newline",
    log: "closed",
    damage: (log) => log.edit(log.segment(4), (text) => flip(text, text.indexOf("\n", 200))),
    delivered: 68,
    rejected: 1,
    dropped: 1,
  },
  {
    name: "flipped bit: a delivered record",
    log: "half",
    damage: (log) => log.editLine(3, 2, (line) => flip(line, 30)),
    delivered: 46,
    says: /no record is missing/,
  },
  {
    name: "altered: a digit, in valid JSON",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => line.replace('"number":34', '"number":94')),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "altered: a record without its numbers",
    log: "closed",
    damage: (log) => log.editLine(4, 5, (line) => line.slice(line.indexOf("{"))),
    delivered: 69,
    rejected: 1,
  },
  {
    name: "altered: a byte that is not UTF-8",
    log: "closed",
    damage: (log) => log.edit(log.segment(4), (text) => text.replace("\u00c3", "\u00ff")),
    delivered: 69,
    rejected: 1,
  },
];

const LINES: readonly Damage[] = [
  {
    name: "lines: one of another log",
    log: "closed",
    damage: (log) => {
      const line = readFileSync(log.otherSegment(4), "utf8").split("\n")[5] ?? "";
      log.editLine(4, 5, () => line);
    },
    delivered: 69,
    rejected: 1,
  },
  {
    name: "lines: a header that names another log",
    log: "closed",
    damage: (log) => {
      const header = readFileSync(log.otherSegment(4), "utf8").split("\n")[0] ?? "";
      log.editLine(4, 0, () => header);
    },
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "lines: CRLF",
    log: "closed",
    damage: (log) => log.edit(log.segment(4), (text) => text.replaceAll("\n", "\r\n")),
    delivered: 70,
  },
  {
    name: "lines: byte order mark",
    log: "closed",
    damage: (log) => log.edit(log.segment(4), (text) => `\u00ef\u00bb\u00bf${text}`),
    delivered: 70,
  },
  {
    name: "lines: one is removed",
    log: "closed",
    damage: (log) => log.editLines(4, (lines) => lines.toSpliced(5, 1)),
    delivered: 69,
    dropped: 1,
  },
  {
    name: "lines: one is doubled",
    log: "closed",
    damage: (log) => log.editLines(4, (lines) => lines.toSpliced(5, 0, lines[5] ?? "")),
    delivered: 70,
  },
  {
    name: "lines: reversed",
    log: "closed",
    damage: (log) => log.editLines(4, (lines) => lines.toReversed()),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "lines: one of another segment",
    log: "closed",
    damage: (log) =>
      appendFileSync(log.segment(4), `${readFileSync(log.segment(2), "utf8").split("\n")[3]}\n`),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "lines: garbage after the middle segment",
    log: "closed",
    damage: (log) => appendFileSync(log.segment(4), "garbage\nmore"),
    delivered: 70,
    says: /2 damaged lines in which no record is missing/,
  },
  {
    name: "lines: garbage after the last segment",
    log: "closed",
    damage: (log) => appendFileSync(log.segment(7), "garbage\n"),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "lines: a foreign record after the last segment",
    log: "closed",
    damage: (log) => appendFileSync(log.segment(7), '{"number":99}\n'),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "lines: a huge one",
    log: "closed",
    damage: (log) => appendFileSync(log.segment(4), `${"x".repeat(2 ** 24)}\n`),
    delivered: 70,
    says: /no record is missing/,
  },
  {
    name: "lines: NUL bytes between two",
    log: "closed",
    damage: (log) => log.editLines(4, (lines) => lines.toSpliced(5, 0, "\0\0\0")),
    delivered: 70,
    says: /no record is missing/,
  },
];

/** Damages within segments. */
export const LINE_DAMAGES: readonly Damage[] = [...BITS, ...LINES];
