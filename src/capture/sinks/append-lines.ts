import { open } from "node:fs/promises";

const NEWLINE = 0x0a;

/**
 * Appends whole lines with one write, so that several processes may append to one file. A file that does
 * not end in a newline, because a process died while it wrote, gets one first: what was torn becomes a
 * line of its own, and not the beginning of another. Gives the file's size, in bytes, after it.
 *
 * Throws as node:fs does, and when the disk took only a part.
 */
export async function appendLines(path: string, lines: readonly string[]): Promise<number> {
  const handle = await open(path, "a+");
  try {
    const { size } = await handle.stat();
    const last = new Uint8Array(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const isTorn = size > 0 && last[0] !== NEWLINE;
    const bytes = Buffer.from(`${isTorn ? "\n" : ""}${lines.join("\n")}\n`, "utf8");
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length);
    if (bytesWritten < bytes.length) throw new Error("only a part was written: the disk is full");
    return size + bytes.length;
  } finally {
    await handle.close();
  }
}
