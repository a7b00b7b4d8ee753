import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A log on disk that a test damages. */
export class DamagedLog {
  /** The folder of the log. */
  readonly path: string;
  readonly #destination: string;
  /** A folder outside of the spool. */
  readonly outside: string;

  constructor(destination: string, outside: string) {
    this.#destination = destination;
    this.outside = outside;
    const name = readdirSync(destination).find((each) => /^[a-z0-9]+-/.test(each)) ?? "";
    this.path = join(destination, name);
  }

  segment(number: number): string {
    return join(this.path, `0000000${number}.jsonl`);
  }

  get note(): string {
    return join(this.path, "done");
  }

  get owner(): string {
    return join(this.#destination, "owners", this.path.split(".").at(-1) ?? "");
  }

  /** Rewrites a file as Latin-1, in which each byte is a character. */
  edit(path: string, change: (text: string) => string): void {
    writeFileSync(path, change(readFileSync(path, "latin1")), "latin1");
  }

  /** Rewrites the lines of a segment; the header is the first. */
  editLines(number: number, change: (lines: string[]) => string[]): void {
    const text = readFileSync(this.segment(number), "utf8");
    const lines = change(text.trimEnd().split("\n"));
    writeFileSync(this.segment(number), lines.map((line) => `${line}\n`).join(""));
  }

  /** Rewrites one line of a segment. */
  editLine(number: number, index: number, change: (line: string) => string): void {
    this.editLines(number, (lines) => {
      return lines.map((line, at) => (at === index ? change(line) : line));
    });
  }

  /** Cuts a segment so many bytes after the start of its line. */
  cut(number: number, line: number, bytes: number): void {
    const lines = readFileSync(this.segment(number), "utf8").split("\n");
    const start = lines.slice(0, line).reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
    truncateSync(this.segment(number), start + bytes);
  }
}

/** What the next process makes of a damaged log of 70 records in 7 segments, with batches of 4, 4 and 2. */
export interface Damage {
  readonly name: string;
  /**
   * `closed`: the process ended in good order; nothing had arrived. `killed`: the same, by SIGKILL. `half`: 24 had
   * arrived and were noted; segments 1 and 2 are removed.
   */
  readonly log: "closed" | "killed" | "half";
  readonly damage: (log: DamagedLog) => void;
  readonly delivered: number;
  /** Records in damaged lines, which are in the file of dead letters. */
  readonly rejected?: number;
  /** Records that are counted as missing. */
  readonly dropped?: number;
  /** Records that are sent although they had arrived: under the same keys. */
  readonly again?: number;
  /** Lost records that no process can know of. */
  readonly unknown?: number;
  /** Records that stay on disk, until a person repairs what cannot be read. */
  readonly left?: number;
  /** What the log of messages says; by default nothing but what the counts need. */
  readonly says?: RegExp;
}

const flip = (text: string, index: number): string =>
  `${text.slice(0, index)}${String.fromCharCode(text.charCodeAt(index) ^ 1)}${text.slice(index + 1)}`;

const zero = (text: string, start: number, end = text.length): string =>
  `${text.slice(0, start)}${"\0".repeat(end - start)}${text.slice(end)}`;

const swap = (one: string, other: string): void => {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
};

const makeOld = (path: string): void => {
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(path, old, old);
};

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

const FILES: readonly Damage[] = [
  {
    name: "missing: first segment",
    log: "closed",
    damage: (log) => rmSync(log.segment(1)),
    delivered: 60,
    dropped: 10,
  },
  {
    name: "missing: middle segment",
    log: "closed",
    damage: (log) => rmSync(log.segment(4)),
    delivered: 60,
    dropped: 10,
  },
  {
    name: "missing: last segment",
    log: "closed",
    damage: (log) => rmSync(log.segment(7)),
    delivered: 60,
    dropped: 10,
  },
  {
    name: "missing: two segments",
    log: "closed",
    damage: (log) => {
      rmSync(log.segment(4));
      rmSync(log.segment(5));
    },
    delivered: 50,
    dropped: 20,
  },
  {
    name: "missing: last segment of a killed process",
    log: "killed",
    damage: (log) => rmSync(log.segment(7)),
    delivered: 60,
    dropped: 1,
    unknown: 9,
  },
  {
    name: "missing: all segments",
    log: "closed",
    damage: (log) => {
      for (let number = 1; number <= 7; number += 1) rmSync(log.segment(number));
    },
    delivered: 0,
    dropped: 70,
  },
  {
    name: "missing: the half-delivered segment",
    log: "half",
    damage: (log) => rmSync(log.segment(3)),
    delivered: 40,
    dropped: 6,
  },
  {
    name: "swapped: two segments",
    log: "closed",
    damage: (log) => swap(log.segment(3), log.segment(5)),
    delivered: 70,
  },
  {
    name: "renamed: the segments, in a ring",
    log: "closed",
    damage: (log) => {
      swap(log.segment(1), log.segment(2));
      swap(log.segment(2), log.segment(3));
    },
    delivered: 70,
  },
  {
    name: "copied: a segment, under a new number",
    log: "closed",
    damage: (log) => copyFileSync(log.segment(3), log.segment(8)),
    delivered: 70,
    says: /00000008\.jsonl is a copy of segment 3: left out/,
  },
  {
    name: "copied: a segment, over another one",
    log: "closed",
    damage: (log) => copyFileSync(log.segment(3), log.segment(5)),
    delivered: 60,
    dropped: 10,
    says: /is a copy of segment 3/,
  },
  {
    name: "replaced: a segment, by a folder",
    log: "closed",
    damage: (log) => {
      rmSync(log.segment(4));
      mkdirSync(log.segment(4));
    },
    delivered: 30,
    left: 40,
    says: /00000004\.jsonl cannot be read, retrying: EISDIR/,
  },
  {
    name: "replaced: a segment, by a pipe",
    log: "closed",
    damage: (log) => {
      rmSync(log.segment(4));
      execFileSync("mkfifo", [log.segment(4)]);
    },
    delivered: 30,
    left: 40,
    says: /00000004\.jsonl cannot be read, retrying: it is not a file/,
  },
  {
    name: "replaced: a segment, by a link to it",
    log: "closed",
    damage: (log) => {
      renameSync(log.segment(4), join(log.outside, "moved"));
      symlinkSync(join(log.outside, "moved"), log.segment(4));
    },
    delivered: 70,
  },
  {
    name: "replaced: a segment, by a link to another file",
    log: "closed",
    damage: (log) => {
      writeFileSync(join(log.outside, "other"), "one\ntwo\n");
      rmSync(log.segment(4));
      symlinkSync(join(log.outside, "other"), log.segment(4));
    },
    delivered: 60,
    rejected: 2,
    dropped: 8,
  },
  {
    name: "replaced: a segment, by a link to nothing",
    log: "closed",
    damage: (log) => {
      rmSync(log.segment(4));
      symlinkSync(join(log.outside, "none"), log.segment(4));
    },
    delivered: 60,
    dropped: 10,
    says: /00000004\.jsonl is gone/,
  },
  {
    name: "replaced: a segment, by one of another log",
    log: "closed",
    damage: (log) =>
      log.edit(log.segment(4), (text) => text.replaceAll(/[0-9a-f]{12} 4\n/g, "000000000000 4\n")),
    delivered: 70,
    says: /no record is missing/,
  },
];

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

const NOTE = /note of progress in .* is damaged/;
const UNKNOWN = /it is unknown whether the segments before 3 have arrived/;

const NOTES: readonly Damage[] = [
  {
    name: "note: an altered digit of the batch",
    log: "half",
    damage: (log) => log.edit(log.note, (text) => flip(text, 7)),
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: an altered digit of the segment",
    log: "half",
    damage: (log) => log.edit(log.note, (text) => text.replace("done 3", "done 7")),
    delivered: 50,
    again: 4,
    says: UNKNOWN,
  },
  {
    name: "note: an altered digit, nothing removed yet",
    log: "closed",
    damage: (log) => log.edit(log.note, (text) => text.replace("done 0", "done 7")),
    delivered: 70,
    says: NOTE,
  },
  {
    name: "note: cut",
    log: "half",
    damage: (log) => truncateSync(log.note, 39),
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: cut to look like an old one",
    log: "half",
    damage: (log) => writeFileSync(log.note, "7 3\n"),
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: empty",
    log: "half",
    damage: (log) => truncateSync(log.note, 0),
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: zeroed",
    log: "half",
    damage: (log) => log.edit(log.note, (text) => zero(text, 0)),
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: longer",
    log: "half",
    damage: (log) => appendFileSync(log.note, "garbage"),
    delivered: 46,
  },
  {
    name: "note: missing",
    log: "half",
    damage: (log) => rmSync(log.note),
    delivered: 50,
    again: 4,
    says: UNKNOWN,
  },
  {
    name: "note: missing, nothing removed yet",
    log: "closed",
    damage: (log) => rmSync(log.note),
    delivered: 70,
  },
  {
    name: "note: a folder",
    log: "half",
    damage: (log) => {
      rmSync(log.note);
      mkdirSync(log.note);
    },
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: a link to another file",
    log: "half",
    damage: (log) => {
      renameSync(log.note, join(log.outside, "note"));
      symlinkSync(join(log.outside, "note"), log.note);
    },
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: a pipe",
    log: "half",
    damage: (log) => {
      rmSync(log.note);
      execFileSync("mkfifo", [log.note]);
    },
    delivered: 50,
    again: 4,
    says: NOTE,
  },
  {
    name: "note: of another log",
    log: "half",
    damage: (log) => log.edit(log.note, (text) => text.replace(/[0-9a-f]{12} /, "000000000000 ")),
    delivered: 50,
    again: 4,
    says: NOTE,
  },
];

const OWNERS: readonly Damage[] = [
  {
    name: "owner: torn",
    log: "killed",
    damage: (log) => {
      truncateSync(log.owner, 5);
      makeOld(log.owner);
    },
    delivered: 70,
  },
  {
    name: "owner: flipped bit",
    log: "killed",
    damage: (log) => {
      log.edit(log.owner, (text) => flip(text, 12));
      makeOld(log.owner);
    },
    delivered: 70,
  },
  {
    name: "owner: empty",
    log: "killed",
    damage: (log) => {
      truncateSync(log.owner, 0);
      makeOld(log.owner);
    },
    delivered: 70,
  },
  { name: "owner: missing", log: "killed", damage: (log) => rmSync(log.owner), delivered: 70 },
  {
    name: "owner: a folder",
    log: "killed",
    damage: (log) => {
      rmSync(log.owner);
      mkdirSync(log.owner);
      makeOld(log.owner);
    },
    delivered: 70,
  },
  {
    name: "owner: a pipe",
    log: "killed",
    damage: (log) => {
      rmSync(log.owner);
      execFileSync("mkfifo", [log.owner]);
      makeOld(log.owner);
    },
    delivered: 70,
  },
  {
    name: "log: a file",
    log: "closed",
    damage: (log) => {
      rmSync(log.path, { recursive: true });
      writeFileSync(log.path, "garbage");
    },
    delivered: 0,
    left: 70,
    says: /cannot be read, retrying: ENOTDIR/,
  },
];

const NONE: readonly Damage[] = [
  { name: "none: closed", log: "closed", damage: () => {}, delivered: 70 },
  { name: "none: killed", log: "killed", damage: () => {}, delivered: 70 },
  { name: "none: half", log: "half", damage: () => {}, delivered: 46 },
];

export const DAMAGES: readonly Damage[] = [
  ...NONE,
  ...CUTS,
  ...ZEROS,
  ...FILES,
  ...BITS,
  ...LINES,
  ...NOTES,
  ...OWNERS,
];
