import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseSegmentName } from "./names.js";
import { HEADER_BYTES, readHeader } from "./segment.js";

/** The file of a segment. */
export interface SegmentFile {
  /** Its number by its header, or by its name if it has none. */
  readonly number: number;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * The files of a log's segments, in order. If several say that they are the same segment, the one with the right
 * name is taken, and the others are `copies`. Throws as node:fs does.
 */
export function listSegments(
  folder: string,
  log: string,
): { readonly segments: SegmentFile[]; readonly copies: SegmentFile[] } {
  const found = new Map<number, SegmentFile>();
  const misnamed: SegmentFile[] = [];
  for (const name of readdirSync(folder)) {
    const number = parseSegmentName(name);
    if (number === undefined) continue;
    const file = { path: join(folder, name), ...examine(join(folder, name), log) };
    if (file.number === undefined || file.number === number) found.set(number, { ...file, number });
    else misnamed.push({ ...file, number: file.number });
  }
  const copies: SegmentFile[] = [];
  for (const file of misnamed) {
    if (found.has(file.number)) copies.push(file);
    else found.set(file.number, file);
  }
  return { segments: [...found.values()].sort((a, b) => a.number - b.number), copies };
}

interface Examined {
  /** The number of the log's segment that the header names; undefined if it names none. */
  readonly number: number | undefined;
  readonly size: number;
}

/** A file that cannot be opened now has its number by its name. */
function examine(path: string, log: string): Examined {
  let fd: number;
  try {
    // A pipe in the place of the file must not be waited for.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { number: undefined, size };
  }
  try {
    const info = fstatSync(fd);
    if (!info.isFile()) return { number: undefined, size: 0 };
    const bytes = Buffer.alloc(HEADER_BYTES);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes, 0, HEADER_BYTES, 0));
    const header = readHeader(text);
    return { number: header?.log === log ? header.segment : undefined, size: info.size };
  } finally {
    closeSync(fd);
  }
}

/** The text of a segment. Throws as node:fs does, and for a pipe or device, of which no end can be seen. */
export async function readSegmentFile(path: string): Promise<string> {
  const info = await stat(path);
  if (!info.isFile() && !info.isDirectory()) throw new Error("it is not a file");
  return readFile(path, "utf8");
}
