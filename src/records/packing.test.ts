import * as zlib from "node:zlib";
import { expect, test } from "vitest";
import { UserError } from "../user-error.js";
import { findPacking, HEAD_LENGTH } from "./packing.js";

const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

test("packed files are known by their first bytes", () => {
  const packed = zlib.gzipSync("text");
  const gzip = findPacking(packed.subarray(0, HEAD_LENGTH));
  expect(gzip?.magic).toEqual(Buffer.from([0x1f, 0x8b]));
  expect(findPacking(Buffer.concat([zstd, packed]))?.magic).toEqual(zstd);
  expect(zstd.length).toBe(HEAD_LENGTH);
});

test.each(["", "{", '{"a": 1}', "\x1f", "\x28\xb5\x2f"])("%j is not packed", (head) => {
  expect(findPacking(Buffer.from(head, "latin1"))).toBeUndefined();
});

test("zstd where Node has it, and an advice where not", () => {
  const create = () => findPacking(zstd)?.createUnpacker("-");
  if (Reflect.has(zlib, "createZstdDecompress")) {
    const unpacker = create();
    expect(unpacker).toBeDefined();
    unpacker?.destroy();
    return;
  }
  expect(create).toThrow(UserError);
  expect(create).toThrow("<stdin>: zstd needs Node 22.15 or later: unpack it first");
});
