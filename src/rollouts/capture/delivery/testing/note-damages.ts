import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Damage, flip, makeOld, zero } from "./damaged-log.js";

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
    name: "note: replaced by another text",
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

/** What is in the place of the owner's folder, as of an hour ago. */
const replaceOwner = (
  create: (path: string) => void,
): Pick<Damage, "log" | "damage" | "delivered"> => ({
  log: "killed",
  damage: (log) => {
    rmSync(log.owner, { recursive: true });
    create(log.owner);
    makeOld(log.owner);
  },
  delivered: 70,
});

const OWNERS: readonly Damage[] = [
  {
    name: "owner: another name",
    log: "killed",
    damage: (log) => {
      for (const name of readdirSync(log.owner)) {
        renameSync(join(log.owner, name), join(log.owner, flip(name, 16)));
      }
      makeOld(log.owner);
    },
    delivered: 70,
  },
  {
    name: "owner: missing",
    log: "killed",
    damage: (log) => rmSync(log.owner, { recursive: true }),
    delivered: 70,
  },
  { name: "owner: an empty folder", ...replaceOwner((path) => mkdirSync(path)) },
  { name: "owner: a torn file", ...replaceOwner((path) => writeFileSync(path, '{"pi')) },
  { name: "owner: an empty file", ...replaceOwner((path) => writeFileSync(path, "")) },
  { name: "owner: a pipe", ...replaceOwner((path) => execFileSync("mkfifo", [path])) },
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

/** Damages to what is beside the segments. */
export const NOTE_DAMAGES: readonly Damage[] = [...NOTES, ...OWNERS];
