import { access, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { toWriteError } from "../../files/source.js";
import { type KnownOptions, requireKnownOptions, requireNumber } from "../../options.js";
import { EXIT, UserError } from "../../user-error.js";
import { appendLines } from "./append-lines.js";
import { parseDailyName, toDailyName, toDay } from "./daily-name.js";
import { packFinished } from "./pack-finished.js";
import { shortHash } from "./short-hash.js";
import type { Batch, Sink } from "./sink.js";
import { SinkError } from "./sink-error.js";
import { toLines } from "./to-lines.js";

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
