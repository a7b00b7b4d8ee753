import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Damage, swap } from "./damaged-log.js";

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
    damage: (log) => copyFileSync(log.otherSegment(4), log.segment(4)),
    delivered: 60,
    rejected: 10,
  },
];

/** Files that are missing, or in the wrong place. */
export const FILE_DAMAGES: readonly Damage[] = [...FILES];
