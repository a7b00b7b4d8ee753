import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { hasCode } from "../../files/source.js";
import { type DailyName, parseDailyName, toDailyName } from "./daily-name.js";

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
