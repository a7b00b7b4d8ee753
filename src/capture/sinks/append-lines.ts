import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

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
