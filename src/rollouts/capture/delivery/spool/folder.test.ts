import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { giveSign, readOwned } from "../../../../base/files/owned-folder.js";
import { endedTag, foreignTag } from "../../../../base/files/testing/owner-tags.js";
import { useFolder } from "../../../../base/testing/use-folder.js";
import { SpoolFolder } from "./folder.js";
import { newLogId } from "./names.js";
import { parseSegment } from "./segment.js";

const START = Date.now();
/** More than ten minutes after whatever a test writes, however slow the machine. */
const MUCH_LATER = START + 3_600_000;
const inFolder = useFolder();

function open(now: () => number = () => START): SpoolFolder {
  return new SpoolFolder(inFolder("spool"), "custom", now);
}

/** Makes another process the owner of this log's folder. */
function replaceOwner(log: string, tag: string): void {
  const path = ownerPath(log);
  const [own = ""] = readdirSync(path);
  renameSync(join(path, own), join(path, tag));
}

function ownerPath(log: string): string {
  return inFolder("spool", "custom", "owners", log.split(".").at(-1) ?? "");
}

test("the log of a live process cannot be claimed", async () => {
  const first = open();
  first.createLog();
  expect(await open().claim()).toEqual([]);
});

test("exactly one process claims the log of one that has ended", async () => {
  const { id, path } = open().createLog();
  replaceOwner(path, endedTag());
  const others = [open(), open(), open()];
  const claims = await Promise.all(others.map((other) => other.claim()));
  const claimed = claims.flat();
  expect(claimed.map((log) => log.id)).toEqual([id]);
  expect(existsSync(claimed[0]?.path ?? "")).toBe(true);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(ownerPath(path))).toBe(false);
});

test("a process in another container is dead after half a minute of silence", async () => {
  const { path } = open().createLog();
  replaceOwner(path, foreignTag());
  let now = START;
  const other = open(() => now);
  expect(await other.claim()).toEqual([]);
  now += 29_000;
  expect(await other.claim()).toEqual([]);
  now += 2_000;
  expect(await other.claim()).toHaveLength(1);
});

test("a process in another container is alive while it gives signs of life", async () => {
  let now = START;
  const { path } = open().createLog();
  const tag = foreignTag();
  replaceOwner(path, tag);
  const other = open(() => now);
  for (let beat = 0; beat < 20; beat += 1) {
    expect(await other.claim()).toEqual([]);
    now += 5_000;
    giveSign(ownerPath(path), tag, now);
  }
});

test("each beat is a sign of life, also once another process removed the owner", () => {
  let now = 1_000;
  const first = open(() => now);
  const { path } = first.createLog();
  expect(readOwned(ownerPath(path))?.seenAt).toBe(1_000);
  now = 2_000;
  first.beat();
  expect(readOwned(ownerPath(path))?.seenAt).toBe(2_000);
  rmSync(ownerPath(path), { recursive: true });
  first.beat();
  expect(readOwned(ownerPath(path))?.seenAt).toBe(2_000);
});

test("an owner that has been silent for ten minutes is dead at once", async () => {
  const { path } = open().createLog();
  replaceOwner(path, foreignTag());
  expect(await open(() => MUCH_LATER).claim()).toHaveLength(1);
});

test("if the owner has another form, as of earlier versions, its time decides", async () => {
  const { path } = open().createLog();
  rmSync(ownerPath(path), { recursive: true });
  writeFileSync(ownerPath(path), '{"pid":1}');
  expect(await open().claim()).toEqual([]);
  expect(await open(() => MUCH_LATER).claim()).toHaveLength(1);
});

test("logs that were released, or left for any process, are claimed oldest first", async () => {
  const first = open(() => START - 1_000);
  const { id } = first.createLog();
  first.release();
  const second = open();
  const left = newLogId(START + 1_000);
  second.keep(left, ['{"a":1}'], true);
  const claimed = await open().claim();
  expect(claimed.map((log) => log.id)).toEqual([id, left]);
  const text = readFileSync(join(claimed[1]?.path ?? "", "00000001.jsonl"), "utf8");
  expect(parseSegment(text, { log: left, segment: 1 }).entries).toEqual([
    { record: 1, batch: 1, line: '{"a":1}' },
  ]);
});

test("an unfinished log is claimed after ten minutes", async () => {
  const id = newLogId(START);
  mkdirSync(inFolder("spool", "custom", `making-${id}`), { recursive: true });
  expect(await open().claim()).toEqual([]);
  const claimed = await open(() => MUCH_LATER).claim();
  expect(claimed.map((log) => log.id)).toEqual([id]);
});

test("a log that the disk did not take at first is kept later", () => {
  const id = newLogId(START);
  mkdirSync(inFolder("spool", "custom", `making-${id}`), { recursive: true });
  expect(existsSync(open().keep(id, ['{"a":1}'], true))).toBe(true);
});

test("an empty folder in the place of an owner does not stop a takeover", async () => {
  const { id, path } = open().createLog();
  rmSync(ownerPath(path), { recursive: true });
  mkdirSync(ownerPath(path));
  expect((await open().claim()).map((log) => log.id)).toEqual([id]);
  expect(existsSync(ownerPath(path))).toBe(false);
});

test("the files of dead owners are removed, even without a log", async () => {
  const { path } = open().createLog();
  rmdirSync(path);
  replaceOwner(path, endedTag());
  const next = open();
  await next.claim();
  next.release();
  expect(readdirSync(inFolder("spool"))).toEqual([]);
});

test("other files in the folder are not claimed", async () => {
  open().createLog();
  mkdirSync(inFolder("spool", "custom", "making-abc"));
  writeFileSync(inFolder("spool", "custom", "rejected-2026-01-31.jsonl"), "");
  expect(await open().claim()).toEqual([]);
});

test("an unused spool is not created, and nothing remains after release", async () => {
  expect(await open().claim()).toEqual([]);
  expect(existsSync(inFolder("spool"))).toBe(false);
  const only = open();
  only.beat();
  only.release();
  expect(readdirSync(inFolder("spool"))).toEqual([]);
});

test("a destination with orphaned logs is found", async () => {
  const old = new SpoolFolder(inFolder("spool"), "http-old", () => START);
  old.createLog();
  expect(await open().findOtherDestinations()).toEqual([]);
  old.release();
  expect(await open().findOtherDestinations()).toEqual(["http-old"]);
});

test("ids of logs made in the same millisecond sort in the order of their making", () => {
  const ids = Array.from({ length: 100 }, () => newLogId(START));
  expect(ids.toSorted()).toEqual(ids);
});
