import { expect, test } from "vitest";
import { startDecoder } from "./decoder.js";
import { readLines } from "./testing/read-lines.js";

test("a footer that names more than the memory holds is an error", async () => {
  // Lists in lists, each of which names 2^25 - 1 items.
  const list = [0xf9, 0xff, 0xff, 0xff, 0x0f];
  const footer = Buffer.from([0x19, ...Array.from({ length: 60 }, () => list).flat()]);
  const tail = Buffer.from("....PAR1");
  tail.writeUInt32LE(footer.length);
  const bytes = Buffer.concat([Buffer.from("PAR1"), footer, tail]);
  await expect(readLines(bytes, startDecoder)).rejects.toThrow(
    /^file: cannot be read as Parquet: its decoder ended: .*memory/,
  );
});
