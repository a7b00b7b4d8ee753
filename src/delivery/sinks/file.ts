import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { makeFolder } from "../../files/folders.js";
import { hasCode, toWriteError } from "../../files/source.js";
import { type KnownOptions, requireKnownOptions, requireNumber } from "../../options.js";
import { EXIT, UserError } from "../../user-error.js";
import { type Batch, type Sink, SinkError, shortHash, toLines } from "./sink.js";

/** Appends the records to daily files, such as `rollouts-2026-01-31.jsonl` (UTC). */
export interface FileSinkOptions {
  readonly type: "file";
  /** Made when it is not there. Default `./rollouts`. */
  readonly dir?: string;
  /**
   * Bytes beyond which a file of the day does not grow: the next one is `rollouts-2026-01-31.2.jsonl`.
   * A batch that is larger has a file of its own. Default: no bound.
   */
  readonly maxBytes?: number;
  /** Whether files that are finished are packed with gzip. Default false. */
  readonly gzip?: boolean;
}

const OPTIONS: KnownOptions<FileSinkOptions> = {
  type: true,
  dir: true,
  maxBytes: true,
  gzip: true,
};

/** How often the file of the day may be moved away while a batch is written. */
const MAX_MOVES = 100;

/** Throws UserError (exit 2) for options that cannot work. */
export function createFileSink(options: FileSinkOptions, now: () => number = Date.now): Sink {
  requireKnownOptions("sink:", options, OPTIONS);
  const { dir = "./rollouts", maxBytes = Number.POSITIVE_INFINITY, gzip = false } = options;
  if (typeof dir !== "string" || dir === "") {
    throw new UserError("sink: dir must be the path of a folder", EXIT.usage);
  }
  requireNumber("sink: maxBytes", maxBytes, 1);
  const folder = resolve(dir);
  /** The file that was written last; another one finishes it. */
  let last = "";
  let packing = Promise.resolve();

  async function writeBatch({ lines }: Pick<Batch, "lines">): Promise<void> {
    const day = toDay(now());
    let path = join(folder, toDailyName({ day, number: 1, isPacked: false }));
    try {
      await access(folder).catch(() => makeFolder(folder));
      for (let moves = 0; ; moves += 1) {
        path = join(folder, await findCurrent(folder, day, maxBytes, lines));
        if (await appendLines(path, lines)) break;
        if (moves === MAX_MOVES) throw new Error("it is moved away again and again");
      }
    } catch (error) {
      const cause = toWriteError(path, error);
      throw new SinkError("unavailable", cause instanceof Error ? cause.message : String(cause));
    }
    if (gzip && path !== last) packing = packing.then(() => packQuietly(folder, day, now()));
    last = path;
  }

  return {
    id: `file-${shortHash(folder)}`,
    name: folder,
    writeBatch,
    async write(records) {
      if (records.length > 0) await writeBatch({ lines: toLines(records) });
    },
    async close() {
      await packing;
    },
  };
}

/** What cannot be packed now stays as it is, and is tried again with the next file. */
async function packQuietly(folder: string, day: string, now: number): Promise<void> {
  await packFinished(folder, day, now).catch(() => {});
}

/** The name of the day's file that takes the lines. */
async function findCurrent(
  folder: string,
  day: string,
  maxBytes: number,
  lines: readonly string[],
): Promise<string> {
  const files = (await readdir(folder)).map(parseDailyName).filter((file) => file?.day === day);
  const numbers = files.map((file) => file?.number ?? 1);
  const number = Math.max(1, ...numbers);
  const name = toDailyName({ day, number, isPacked: false });
  const isFinished = files.some((file) => file?.number === number && file.isPacked);
  if (isFinished) return toDailyName({ day, number: number + 1, isPacked: false });
  if (maxBytes === Number.POSITIVE_INFINITY) return name;
  const size = await stat(join(folder, name)).then(
    (info) => info.size,
    () => 0,
  );
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line, "utf8") + 1, 0);
  const fits = size === 0 || size + bytes <= maxBytes;
  return toDailyName({ day, number: fits ? number : number + 1, isPacked: false });
}

const NEWLINE = 0x0a;
/** A file that does not end in a newline may be one to which another process is writing just now. */
const LOOK_AGAIN_MS = 30;

/**
 * Appends whole lines with one write, so that several processes may append to one file. A file that does
 * not end in a newline, because a process died while it wrote, gets one first: what was torn becomes a
 * line of its own, and not the beginning of another.
 *
 * Gives whether the file is still at `path`: when another process moved it away meanwhile, nobody can say
 * who reads the lines. Throws as node:fs does, and when the disk took only a part.
 */
export async function appendLines(path: string, lines: readonly string[]): Promise<boolean> {
  const handle = await open(path, "a+");
  try {
    const start = (await isTorn(handle)) ? "\n" : "";
    const bytes = Buffer.from(`${start}${lines.join("\n")}\n`, "utf8");
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length);
    if (bytesWritten < bytes.length) throw new Error("only a part was written: the disk is full");
    const there = await stat(path).catch(() => undefined);
    return there?.ino === (await handle.stat()).ino;
  } finally {
    await handle.close();
  }
}

/**
 * Whether the file ends within a line, and nobody goes on with it. Who is slower than that gets an empty
 * line behind, which JSON Lines allow.
 */
async function isTorn(handle: FileHandle): Promise<boolean> {
  let former = -1;
  for (;;) {
    const { size } = await handle.stat();
    const last = new Uint8Array(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    if (size === 0 || last[0] === NEWLINE) return false;
    if (size === former) return true;
    former = size;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** A daily file by its parts. */
export interface DailyName {
  /** `2026-01-31`, in UTC. */
  readonly day: string;
  /** From 1; further files of a day have further numbers. */
  readonly number: number;
  readonly isPacked: boolean;
}

const NAME = /^rollouts-(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,8}))?\.jsonl(\.gz)?$/;

/** `rollouts-2026-01-31.jsonl`, and further ones `rollouts-2026-01-31.2.jsonl`. */
export function toDailyName({ day, number, isPacked }: DailyName): string {
  return `rollouts-${day}${number === 1 ? "" : `.${number}`}.jsonl${isPacked ? ".gz" : ""}`;
}

/** The parts of a name that `toDailyName` gives; undefined for any other. */
export function parseDailyName(name: string): DailyName | undefined {
  const [, day, number, packed] = NAME.exec(name) ?? [];
  if (day === undefined || number === "1") return undefined;
  return { day, number: Number(number ?? 1), isPacked: packed !== undefined };
}

/** The day of a Unix time in milliseconds, in UTC. */
export function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** How a file is named while it is packed: still as one that readers of the folder find. */
const TAKEN = /^(rollouts-.*)\.packing-[0-9a-f-]{36}(\.jsonl)$/;
/** After so long, whoever took a file to pack it has died: a minute packs some gigabytes. */
const ABANDONED_MS = 600_000;

/**
 * Packs the daily files in `folder` that are finished: those of other days, and those before the last
 * number of `day`. Of several processes one packs each; the packed file comes into place whole. Throws as
 * node:fs does; then the file stays as it was, or as `*.packing-*.jsonl` until it is packed later.
 */
export async function packFinished(folder: string, day: string, now: number): Promise<void> {
  const names = await readdir(folder);
  for (const name of findFinished(names, day)) await packOne(folder, name, name);
  for (const taken of names) {
    const [, stem, ending] = TAKEN.exec(taken) ?? [];
    const info = stem && (await stat(join(folder, taken)).catch(() => undefined));
    // Taking a file changes its ctime.
    if (!info || now - info.ctimeMs < ABANDONED_MS) continue;
    await packOne(folder, taken, `${stem}${ending}`);
    await rm(join(folder, `.${taken}.gz`), { force: true });
  }
}

/** Packs the file that is now called `current`, unless another process is faster. */
async function packOne(folder: string, current: string, name: string): Promise<void> {
  const taken = name.replace(/(?=\.jsonl$)/, `.packing-${randomUUID()}`);
  if (await take(join(folder, current), join(folder, taken))) await pack(folder, name, taken);
}

function findFinished(names: readonly string[], day: string): string[] {
  const files = names.map(parseDailyName).filter((file) => file !== undefined);
  const plain = files.filter(({ isPacked }) => !isPacked);
  const last = lastNumber(files, day);
  return plain
    .filter((file) => file.day < day || (file.day === day && file.number < last))
    .map(toDailyName);
}

function lastNumber(files: readonly DailyName[], day: string): number {
  return Math.max(0, ...files.filter((file) => file.day === day).map(({ number }) => number));
}

/** Whether this process, and no other, has the file now. */
async function take(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function pack(folder: string, name: string, taken: string): Promise<void> {
  const packed = join(folder, `.${taken}.gz`);
  try {
    await pipeline(createReadStream(join(folder, taken)), createGzip(), createWriteStream(packed));
    const handle = await open(packed, "r+");
    await handle.sync();
    await handle.close();
    await place(folder, name, packed);
    await rm(join(folder, taken));
  } finally {
    await rm(packed, { force: true });
  }
}

/** Gives the packed file its name, or the next number that is free: it never takes another's place. */
async function place(folder: string, name: string, packed: string): Promise<void> {
  const wanted = parseDailyName(name);
  if (wanted === undefined) throw new TypeError(`${name} is no daily file`);
  for (let { number } = wanted; ; ) {
    try {
      await link(packed, join(folder, toDailyName({ ...wanted, number, isPacked: true })));
      return;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    const files = (await readdir(folder)).map(parseDailyName).filter((file) => file !== undefined);
    number = lastNumber(files, wanted.day) + 1;
  }
}
