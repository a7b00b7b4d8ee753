import { EXIT, UserError } from "../../base/user-error.js";

/** Version of the frames and of what they hold. The worker names it in its first frame. */
export const PROTOCOL = 1;

/** Largest payload, in bytes. Longer data is sent in several frames. */
export const MAX_PAYLOAD = 2 ** 20;

/** Bytes before a payload: its type, and its length as an unsigned 32-bit number, the highest byte first. */
export const HEADER_BYTES = 5;

/** The types of frames by name. Each is one ASCII letter. docs/worker.md describes them. */
export const FRAMES = {
  hello: "H",
  job: "J",
  input: "I",
  end: "E",
  output: "O",
  file: "F",
  data: "D",
  exit: "X",
} as const;

export type FrameType = keyof typeof FRAMES;

export interface Frame {
  readonly type: FrameType;
  readonly payload: Buffer;
}

const TYPES: ReadonlyMap<number, FrameType> = new Map(
  Object.entries(FRAMES).flatMap(([name, letter]) =>
    isFrameType(name) ? [[letter.charCodeAt(0), name]] : [],
  ),
);

function isFrameType(name: string): name is FrameType {
  return name in FRAMES;
}

/** Throws RangeError for a payload that is too long. */
export function encodeFrame(type: FrameType, payload: Uint8Array): Buffer {
  if (payload.length > MAX_PAYLOAD) throw new RangeError(`a frame of ${payload.length} bytes`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.write(FRAMES[type], 0, "latin1");
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/**
 * Reads the frames of a byte stream, one when it is asked for. Memory holds one frame and one chunk.
 *
 * Throws UserError (exit 2) with the position of a type that is unknown, of a length above `MAX_PAYLOAD`, or of a frame that
 * is cut off.
 */
export async function* readFrames(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Frame, void, undefined> {
  let pending: Buffer[] = [];
  let length = 0;
  let needed = HEADER_BYTES;
  let header: Header | undefined;
  let position = 0;
  for await (const chunk of chunks) {
    pending.push(typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk));
    length += chunk.length;
    if (length < needed) continue;
    let bytes = pending.length === 1 ? (pending[0] ?? NONE) : Buffer.concat(pending);
    while (bytes.length >= needed) {
      if (header === undefined) {
        header = readHeader(bytes, position);
        needed = HEADER_BYTES + header.length;
        continue;
      }
      yield { type: header.type, payload: bytes.subarray(HEADER_BYTES, needed) };
      position += needed;
      bytes = bytes.subarray(needed);
      header = undefined;
      needed = HEADER_BYTES;
    }
    pending = bytes.length > 0 ? [bytes] : [];
    length = bytes.length;
  }
  if (length > 0) throw garbage(position, `a frame is cut off after ${length} bytes`);
}

const NONE = Buffer.alloc(0);

interface Header {
  readonly type: FrameType;
  readonly length: number;
}

function readHeader(bytes: Buffer, position: number): Header {
  const code = bytes.readUInt8(0);
  const type = TYPES.get(code);
  if (type === undefined) {
    throw garbage(position, `0x${code.toString(16).padStart(2, "0")} is no type of a frame`);
  }
  const length = bytes.readUInt32BE(1);
  if (length > MAX_PAYLOAD) {
    throw garbage(position, `a frame of ${length} bytes is longer than ${MAX_PAYLOAD}`);
  }
  return { type, length };
}

function garbage(position: number, problem: string): UserError {
  return new UserError(`<stdin>: byte ${position}: ${problem}`, EXIT.usage);
}

/** Writes frames to a stream, and waits until each is taken: a slow reader slows the writer down. */
export class FrameWriter {
  readonly #stream: NodeJS.WritableStream;
  #last: Promise<void> = Promise.resolve();

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  /** Splits a payload that is longer than a frame. Rejects when the reader has gone. */
  async send(type: FrameType, payload: Uint8Array | string): Promise<void> {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    let start = 0;
    do {
      await this.#write(encodeFrame(type, bytes.subarray(start, start + MAX_PAYLOAD)));
      start += MAX_PAYLOAD;
    } while (start < bytes.length);
  }

  async #write(frame: Buffer): Promise<void> {
    const written = this.#last.then(
      () =>
        new Promise<void>((resolve, reject) => {
          this.#stream.write(frame, (error) => (error ? reject(error) : resolve()));
        }),
    );
    this.#last = written;
    await written;
  }
}
