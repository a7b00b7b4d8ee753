import { UserError } from "../user-error.js";
import { type RecordInput, toChunks } from "./record-input.js";
import { type ParsedLine, parseText, type RecordLine } from "./record-line.js";

/** Name of the only input. */
const FILE = "<stream>";

/** The first bytes of formats. */
const FORMATS = { gzip: "1f8b", zstd: "28b52ffd", Parquet: "50415231" } as const;

/**
 * `readRecords` without files, for browsers: the non-blank lines of a Blob, a Response or a stream, plain or gzip, which is
 * held in memory. Throws UserError (exit 3) for a path, and for zstd and Parquet.
 */
export async function* readRecords(input: RecordInput): AsyncGenerator<RecordLine[]> {
  const chunks = toChunks(input);
  if (chunks === undefined) {
    throw new UserError(
      "a browser opens no files: give a Blob (such as a File), a Response or a stream instead of a path",
    );
  }
  const parts: (Uint8Array<ArrayBuffer> | string)[] = [];
  for await (const chunk of chunks) {
    parts.push(typeof chunk === "string" ? chunk : Uint8Array.from(chunk));
  }
  const bytes = await decompress(new Blob(parts));
  const lines: RecordLine[] = [];
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => byte === bytes[index]);
  let start = isMarked ? BYTE_ORDER_MARK.length : 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline < 0 ? bytes.length : newline + 1;
    const end = newline < 0 ? next : newline - (bytes[newline - 1] === CARRIAGE_RETURN ? 1 : 0);
    const parsed = parseBytes(bytes.subarray(start, end));
    if (parsed !== undefined) lines.push({ file: FILE, line, byteLength: end - start, ...parsed });
    start = next;
  }
  yield lines;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

async function decompress(stored: Blob): Promise<Uint8Array> {
  const head = await readBytes(stored.slice(0, 4));
  const digits = [...head].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const [format] = Object.entries(FORMATS).find(([, magic]) => digits.startsWith(magic)) ?? [];
  if (format === undefined) return await readBytes(stored);
  if (format !== "gzip") {
    throw new UserError(`a browser reads lines, plain or gzip, and no ${format}: convert it first`);
  }
  return await readBytes(
    new Response(stored.stream().pipeThrough(new DecompressionStream(format))),
  );
}

async function readBytes(body: Blob | Response): Promise<Uint8Array> {
  return new Uint8Array(await body.arrayBuffer());
}

/** Undefined for a blank line. */
function parseBytes(bytes: Uint8Array): ParsedLine | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return /[^ \t\r]/.test(text) ? parseText(text) : undefined;
  } catch {
    return { fault: { id: "json", column: 1, message: "not UTF-8", cause: "not UTF-8" } };
  }
}
