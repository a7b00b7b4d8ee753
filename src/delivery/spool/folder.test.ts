import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFolder } from "../../testing/use-folder.js";
import { SpoolFolder } from "./folder.js";
import { newLogId } from "./names.js";
import { isProcessIdentity } from "./owners.js";

const START = Date.now();
const inFolder = useFolder();

function open(now: () => number = () => START): SpoolFolder {
  return new SpoolFolder(inFolder("spool"), "custom", now);
}

/** As if the owner of this log's folder were another process. */
function rewriteOwner(log: string, change: object): void {
  const path = ownerPath(log);
  const identity: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isProcessIdentity(identity)) throw new TypeError(`${path} holds no identity`);
  writeFileSync(path, JSON.stringify({ ...identity, ...change }));
}

function ownerPath(log: string): string {
  return inFolder("spool", "custom", "owners", log.split(".").at(-1) ?? "");
}

test("the log of a process that lives is nobody else's", async () => {
  const first = open();
  first.createLog();
  expect(await open().claim()).toEqual([]);
});

test("that of one that has ended goes to exactly one other", async () => {
  const { id, path } = open().createLog();
  rewriteOwner(path, { start: "1" });
  const others = [open(), open(), open()];
  const claims = await Promise.all(others.map((other) => other.claim()));
  const claimed = claims.flat();
  expect(claimed.map((log) => log.id)).toEqual([id]);
  expect(existsSync(claimed[0]?.path ?? "")).toBe(true);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(ownerPath(path))).toBe(false);
});

test("a number that comes round again, as 1 does in containers, hides nothing", async () => {
  const { path } = open().createLog();
  // The number of a process that lives, of one that began before it.
  rewriteOwner(path, { pid: process.pid, start: "12345" });
  expect(await open().claim()).toHaveLength(1);
});

test("a container that cannot be asked is dead once it has been silent for half a minute", async () => {
  const { path } = open().createLog();
  rewriteOwner(path, { space: "another container", pid: 1 });
  let now = START;
  const other = open(() => now);
  expect(await other.claim()).toEqual([]);
  now += 29_000;
  expect(await other.claim()).toEqual([]);
  now += 2_000;
  expect(await other.claim()).toHaveLength(1);
});

test("and is not while it gives signs of life", async () => {
  let now = START;
  const first = open(() => now);
  const { path } = first.createLog();
  rewriteOwner(path, { space: "another container", pid: 1 });
  const other = open(() => now);
  for (let beat = 0; beat < 20; beat += 1) {
    expect(await other.claim()).toEqual([]);
    now += 5_000;
    first.beat();
  }
});

test("one that has been silent for ten minutes is taken over at once", async () => {
  const { path } = open().createLog();
  rewriteOwner(path, { space: "another container", pid: 1 });
  expect(await open(() => START + 601_000).claim()).toHaveLength(1);
});

test("an owner's file that is torn is asked by its time", async () => {
  const { path } = open().createLog();
  writeFileSync(ownerPath(path), '{"pi');
  expect(await open().claim()).toEqual([]);
  expect(await open(() => START + 601_000).claim()).toHaveLength(1);
});

test("what is released or left for all is taken, oldest first", async () => {
  const first = open(() => START - 1_000);
  const { id } = first.createLog();
  first.release();
  const second = open();
  const left = newLogId(START + 1_000);
  second.keep(left, ['{"a":1}'], true);
  const claimed = await open().claim();
  expect(claimed.map((log) => log.id)).toEqual([id, left]);
  expect(readFileSync(join(claimed[1]?.path ?? "", "00000001.jsonl"), "utf8")).toBe('{"a":1}\n');
});

test("a log that was left while it was made is taken once it is ten minutes old", async () => {
  const id = newLogId(START);
  mkdirSync(inFolder("spool", "custom", `making-${id}`), { recursive: true });
  expect(await open().claim()).toEqual([]);
  const claimed = await open(() => START + 3_600_000).claim();
  expect(claimed.map((log) => log.id)).toEqual([id]);
});

test("owners who are gone leave nothing behind, though they had no log", async () => {
  const { path } = open().createLog();
  rmdirSync(path);
  rewriteOwner(path, { start: "1" });
  const next = open();
  await next.claim();
  next.release();
  expect(readdirSync(inFolder("spool"))).toEqual([]);
});

test("other files in the folder are nobody's", async () => {
  open().createLog();
  mkdirSync(inFolder("spool", "custom", "making-abc"));
  writeFileSync(inFolder("spool", "custom", "rejected-2026-01-31.jsonl"), "");
  expect(await open().claim()).toEqual([]);
});

test("nothing is made where nothing was kept, and nothing remains after the release", async () => {
  expect(await open().claim()).toEqual([]);
  expect(existsSync(inFolder("spool"))).toBe(false);
  const only = open();
  only.beat();
  only.release();
  expect(readdirSync(inFolder("spool"))).toEqual([]);
});

test("a destination that nobody sends to any more is found", async () => {
  const old = new SpoolFolder(inFolder("spool"), "http-old", () => START);
  old.createLog();
  expect(await open().findOtherDestinations()).toEqual([]);
  old.release();
  expect(await open().findOtherDestinations()).toEqual(["http-old"]);
});
