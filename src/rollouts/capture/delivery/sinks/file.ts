import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { makeFolder } from "../../../../base/files/folders.js";
import { SILENT_MS } from "../../../../base/files/owners.js";
import { hasCode, toWriteError } from "../../../../base/files/source.js";
import { type KnownOptions, requireKnownOptions, requireNumber } from "../../../../base/options.js";
import { toDay } from "../../../../base/text.js";
import { EXIT, UserError } from "../../../../base/user-error.js";
import { type Batch, type Sink, SinkError, shortHash, toLines } from "./sink.js";

/** Appends the records to daily files, such as `rollouts-2026-01-31.jsonl` (UTC). */
export interface FileSinkOptions {
  readonly type: "file";
  /** Created if it does not exist. Default `./rollouts`. */
  readonly dir?: string;
  /**
   * Largest size of a daily file in bytes; after that comes `rollouts-2026-01-31.2.jsonl`. A larger batch
   * gets a file of its own. Default: no limit.
   */
  readonly maxBytes?: number;
  /** Whether finished files are compressed with gzip. Default false. */
  readonly gzip?: boolean;
}

const OPTIONS: KnownOptions<FileSinkOptions> = {
  type: true,
  dir: true,
  maxBytes: true,
  gzip: true,
};

/** How often the daily file may be moved away while a batch is written. */
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
  /** The file written last. It is finished once another one is written. */
  let last = "";
  let compressing = Promise.resolve();

  async function writeBatch({ lines }: Pick<Batch, "lines">): Promise<void> {
    const day = toDay(now());
    let path = join(folder, toDailyName({ day, number: 1, isCompressed: false }));
    try {
      await access(folder).catch(() => makeFolder(folder));
      for (let moves = 0; ; moves += 1) {
        path = join(folder, await findCurrent(folder, day, maxBytes, lines));
        if (await appendLines(path, lines)) break;
        if (moves === MAX_MOVES) throw new Error("it was moved away each time");
      }
    } catch (error) {
      const cause = toWriteError(path, error);
      throw new SinkError("unavailable", cause instanceof Error ? cause.message : String(cause));
    }
    if (gzip && path !== last)
      compressing = compressing.then(() => compressQuietly(folder, day, now()));
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
      await compressing;
    },
  };
}

/** A file that cannot be compressed now stays as it is; the next finished file triggers another attempt. */
async function compressQuietly(folder: string, day: string, now: number): Promise<void> {
  await compressFinished(folder, day, now).catch(() => {});
}

/** The name of the daily file to which the lines are appended. */
async function findCurrent(
  folder: string,
  day: string,
  maxBytes: number,
  lines: readonly string[],
): Promise<string> {
  const files = (await readdir(folder)).map(parseDailyName).filter((file) => file?.day === day);
  const numbers = files.map((file) => file?.number ?? 1);
  const number = Math.max(1, ...numbers);
  const name = toDailyName({ day, number, isCompressed: false });
  const isFinished = files.some((file) => file?.number === number && file.isCompressed);
  if (isFinished) return toDailyName({ day, number: number + 1, isCompressed: false });
  if (maxBytes === Number.POSITIVE_INFINITY) return name;
  const size = await stat(join(folder, name)).then(
    (info) => info.size,
    () => 0,
  );
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line, "utf8") + 1, 0);
  const fits = size === 0 || size + bytes <= maxBytes;
  return toDailyName({ day, number: fits ? number : number + 1, isCompressed: false });
}

const NEWLINE = 0x0a;
/** If a file does not end in a newline, another process may be writing to it: look again after this time. */
const LOOK_AGAIN_MS = 30;

/**
 * Appends whole lines with one write, so that several processes may append to one file. A file that does
 * not end in a newline, because a process died while it wrote, gets one first: the torn line stays a line
 * of its own.
 *
 * Returns false if another process moved the file away meanwhile: then perhaps nobody reads the lines.
 * Throws as node:fs does, and when the disk took only a part.
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
 * Whether the file ends in an unfinished line that no process continues. If a slower process does continue,
 * an empty line follows, which JSON Lines allows.
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

/** The parts of a daily file's name. */
interface DailyName {
  /** `2026-01-31`, in UTC. */
  readonly day: string;
  /** From 1. */
  readonly number: number;
  readonly isCompressed: boolean;
}

const NAME = /^rollouts-(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,8}))?\.jsonl(\.gz)?$/;

/** `rollouts-2026-01-31.jsonl` for number 1, then `rollouts-2026-01-31.2.jsonl`. */
function toDailyName({ day, number, isCompressed }: DailyName): string {
  return `rollouts-${day}${number === 1 ? "" : `.${number}`}.jsonl${isCompressed ? ".gz" : ""}`;
}

/** The inverse of `toDailyName`; undefined for any other name. */
function parseDailyName(name: string): DailyName | undefined {
  const [, day, number, gz] = NAME.exec(name) ?? [];
  if (day === undefined || number === "1") return undefined;
  return { day, number: Number(number ?? 1), isCompressed: gz !== undefined };
}

/** The name of a file while it is compressed. It still matches `rollouts-*.jsonl`, so readers find it. */
const TAKEN = /^(rollouts-.*)\.packing-[0-9a-f-]{36}(\.jsonl)$/;

/**
 * Compresses the finished daily files in `folder`: those of earlier days, and all but the last one of `day`.
 * Several processes may do this at once; the result appears whole. Throws as node:fs does; then the file
 * stays as it was, or as `*.packing-*.jsonl` until a later call compresses it.
 */
async function compressFinished(folder: string, day: string, now: number): Promise<void> {
  const names = await readdir(folder);
  for (const name of findFinished(names, day)) await compressOne(folder, name, name);
  for (const taken of names) {
    const [, stem, ending] = TAKEN.exec(taken) ?? [];
    const info = stem && (await stat(join(folder, taken)).catch(() => undefined));
    // Taking a file changes its ctime. A minute is enough for gigabytes.
    if (!info || now - info.ctimeMs < SILENT_MS) continue;
    await compressOne(folder, taken, `${stem}${ending}`);
    await rm(join(folder, `.${taken}.gz`), { force: true });
  }
}

/** Compresses the daily file `name`, which is now called `current`, unless another process is faster. */
async function compressOne(folder: string, current: string, name: string): Promise<void> {
  const taken = name.replace(/(?=\.jsonl$)/, `.packing-${randomUUID()}`);
  if (await take(join(folder, current), join(folder, taken))) await compress(folder, name, taken);
}

function findFinished(names: readonly string[], day: string): string[] {
  const files = names.map(parseDailyName).filter((file) => file !== undefined);
  const plain = files.filter(({ isCompressed }) => !isCompressed);
  const last = lastNumber(files, day);
  return plain
    .filter((file) => file.day < day || (file.day === day && file.number < last))
    .map(toDailyName);
}

function lastNumber(files: readonly DailyName[], day: string): number {
  return Math.max(0, ...files.filter((file) => file.day === day).map(({ number }) => number));
}

/** Renames the file; returns false if another process did so first. */
async function take(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function compress(folder: string, name: string, taken: string): Promise<void> {
  const compressed = join(folder, `.${taken}.gz`);
  try {
    await pipeline(
      createReadStream(join(folder, taken)),
      createGzip(),
      createWriteStream(compressed),
    );
    const handle = await open(compressed, "r+");
    await handle.sync();
    await handle.close();
    await publish(folder, name, compressed);
    await rm(join(folder, taken));
  } finally {
    await rm(compressed, { force: true });
  }
}

/** Gives the compressed file its name, or the next free number. It never replaces a file. */
async function publish(folder: string, name: string, compressed: string): Promise<void> {
  const wanted = parseDailyName(name);
  if (wanted === undefined) throw new TypeError(`${name} is not a daily file`);
  for (let { number } = wanted; ; ) {
    try {
      await link(compressed, join(folder, toDailyName({ ...wanted, number, isCompressed: true })));
      return;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    const files = (await readdir(folder)).map(parseDailyName).filter((file) => file !== undefined);
    number = lastNumber(files, wanted.day) + 1;
  }
}
