import type { FileHandle } from "node:fs/promises";
import * as zlib from "node:zlib";
import { UserError } from "../user-error.js";

/** The first bytes of a ZIP archive with an entry: PKWARE's APPNOTE, 4.3.7. */
const LOCAL_HEADER = 0x04034b50;
/** Signature and length of the record at the end of an archive, without its comment: APPNOTE, 4.3.16. */
const END = { signature: 0x06054b50, length: 22 };
/** The longest comment after it. */
const MAX_COMMENT = 0xffff;
/** Signature and length of an entry of the central directory, without its name: APPNOTE, 4.3.12. */
const ENTRY = { signature: 0x02014b50, length: 46 };
/** Length of a local header, without its name: APPNOTE, 4.3.7. */
const HEADER_LENGTH = 30;
/** Stands for a number that is in a ZIP64 record. */
const ZIP64 = 0xffffffff;

/** Methods of compression: APPNOTE, 4.4.5. */
const STORED = 0;
const DEFLATED = 8;
const ZSTANDARD = 93;

/** An entry of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  /** Sizes in bytes, compressed and not. */
  readonly stored: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/** Tells by its first bytes whether a file is a ZIP archive. */
export async function isZip(handle: FileHandle): Promise<boolean> {
  if (!(await handle.stat()).isFile()) return false;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.readUInt32LE() === LOCAL_HEADER;
}

/** The entries of an archive, in the order of its directory. Throws UserError (exit 3) if it is damaged, or of 4 GiB. */
export async function listZip(file: string, handle: FileHandle): Promise<readonly ZipEntry[]> {
  const { size } = await handle.stat();
  const tail = await readAt(file, handle, Math.max(0, size - END.length - MAX_COMMENT), size);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END.signature);
  const at = tail.lastIndexOf(signature);
  if (at < 0 || at + END.length > tail.length) throw damaged(file);
  const [length, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (start === ZIP64 || tail.readUInt16LE(at + 10) === MAX_COMMENT) {
    throw new UserError(`${file}: a ZIP archive of 4 GiB or more: unpack it, and give its files`);
  }
  const directory = await readAt(file, handle, start, start + length);
  const entries: ZipEntry[] = [];
  for (let from = 0; from + ENTRY.length <= directory.length; ) {
    if (directory.readUInt32LE(from) !== ENTRY.signature) throw damaged(file);
    const nameLength = directory.readUInt16LE(from + 28);
    const end = from + ENTRY.length + nameLength;
    entries.push({
      name: directory.toString("utf8", from + ENTRY.length, end),
      method: directory.readUInt16LE(from + 10),
      stored: directory.readUInt32LE(from + 20),
      size: directory.readUInt32LE(from + 24),
      offset: directory.readUInt32LE(from + 42),
    });
    from = end + directory.readUInt16LE(from + 30) + directory.readUInt16LE(from + 32);
  }
  return entries;
}

/** Reads an entry. Throws UserError (exit 3) if it is damaged, or compressed in a way that this Node does not know. */
export async function readZipEntry(
  file: string,
  handle: FileHandle,
  { name, method, stored, size, offset }: ZipEntry,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = await readAt(file, handle, offset, offset + HEADER_LENGTH);
  if (header.readUInt32LE() !== LOCAL_HEADER) throw damaged(file);
  const start = offset + HEADER_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28);
  const bytes = await readAt(file, handle, start, start + stored);
  const read = decompress(`${file}/${name}`, bytes, method, size);
  if (read.length !== size) throw damaged(file);
  return Uint8Array.from(read);
}

function decompress(what: string, bytes: Buffer, method: number, size: number): Buffer {
  if (method === STORED) return bytes;
  const options = { maxOutputLength: Math.max(size, 1) };
  try {
    if (method === DEFLATED) return zlib.inflateRawSync(bytes, options);
    const inflate: unknown = Reflect.get(zlib, "zstdDecompressSync");
    if (method === ZSTANDARD && typeof inflate === "function") return inflate(bytes, options);
  } catch {
    throw damaged(what);
  }
  const advice = method === ZSTANDARD ? ": zstd needs Node 22.15 or later" : "";
  throw new UserError(`${what}: is compressed by the method ${method} of ZIP${advice}; unpack it`);
}

async function readAt(
  file: string,
  handle: FileHandle,
  start: number,
  end: number,
): Promise<Buffer> {
  const { size } = await handle.stat();
  if (end > size || end < start) throw damaged(file);
  const bytes = Buffer.alloc(end - start);
  for (let read = 0; read < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read);
    if (bytesRead === 0) throw damaged(file);
    read += bytesRead;
  }
  return bytes;
}

function damaged(what: string): UserError {
  return new UserError(`${what}: damaged ZIP data`);
}
