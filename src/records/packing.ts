import type { Duplex } from "node:stream";
import * as zlib from "node:zlib";
import { UserError } from "../user-error.js";
import { displayName } from "./input-source.js";

/** A way in which files are packed. */
export interface Packing {
  /** How such files begin. */
  readonly magic: Buffer;
  /** A stream from packed to plain bytes. Throws UserError (exit 3) where Node has none. */
  readonly createUnpacker: (file: string) => Duplex;
}

/** Bytes that an unpacker gives at a time. */
const CHUNK_BYTES = 2 ** 18;

const PACKINGS: readonly Packing[] = [
  // RFC 1952, section 2.3.1.
  {
    magic: Buffer.from([0x1f, 0x8b]),
    createUnpacker: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
  },
  // RFC 8878, section 3.1.1.
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), createUnpacker: createZstdUnpacker },
];

/** Bytes by which `findPacking` tells. */
export const HEAD_LENGTH = Math.max(...PACKINGS.map(({ magic }) => magic.length));

/** How a file that begins with `head` is packed; undefined when it is not. */
export function findPacking(head: Buffer): Packing | undefined {
  return PACKINGS.find(({ magic }) => head.subarray(0, magic.length).equals(magic));
}

function createZstdUnpacker(file: string): Duplex {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  if (typeof create !== "function") {
    throw new UserError(`${displayName(file)}: zstd needs Node 22.15 or later: unpack it first`);
  }
  return create({ chunkSize: CHUNK_BYTES });
}
