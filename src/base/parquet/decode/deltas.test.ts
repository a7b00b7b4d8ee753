import { ByteWriter } from "hyparquet-writer";
import { deltaBinaryPack } from "hyparquet-writer/src/delta.js";
import { expect, test } from "vitest";
import { DeltaReader, readLengths } from "./deltas.js";

function pack(values: readonly bigint[]): Uint8Array {
  const writer = new ByteWriter();
  deltaBinaryPack(writer, [...values], "INT64");
  return Uint8Array.from(writer.getBytes());
}

function unpack(bytes: Uint8Array, count: number): bigint[] {
  const reader = new DeltaReader(bytes, 0, count);
  return Array.from({ length: count }, () => reader.next());
}

test("integers come back, whatever lies between them", () => {
  const extremes = [0n, 2n ** 63n - 1n, -(2n ** 63n), 7n, -1n];
  const steps = Array.from({ length: 300 }, (_, index) => BigInt(index * index * 12_345));
  for (const values of [[5n], [1n, 1n, 1n], steps, extremes, [...steps, ...extremes, ...steps]]) {
    expect(unpack(pack(values), values.length)).toEqual(values);
  }
});

test("lengths come back, with the offset behind them", () => {
  const bytes = pack([3n, 1n, 0n, 12n]);
  const padded = Uint8Array.of(...bytes, ...new Array(20).fill(0x61));
  expect(readLengths(padded, 0, 4)).toEqual({ lengths: [3, 1, 0, 12], end: bytes.length });
  expect(() => readLengths(pack([3n, 100_000n]), 0, 2)).toThrow("a text of no length");
  expect(() => readLengths(pack([3n, -1n]), 0, 2)).toThrow("a text of no length");
});

test("what no writer writes is refused", () => {
  const bytes = pack([1n, 5n, 2n]);
  expect(() => unpack(bytes, 4)).toThrow("3 values instead of 4");
  expect(() => unpack(bytes.subarray(0, -1), 3)).not.toThrow();
  for (let length = 0; length < 8; length += 1) {
    expect(() => unpack(bytes.subarray(0, length), 3)).toThrow("ends within its values");
  }
  for (const [size, miniblocks] of [
    [0, 4],
    [8, 0],
    [12, 4],
  ] as const) {
    expect(() => unpack(Uint8Array.of(size, miniblocks, 1, 0), 1)).toThrow("has no blocks");
  }
});
