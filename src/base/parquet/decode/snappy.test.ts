import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { expect, test } from "vitest";
import { countAttacks } from "../../testing/attacks.js";
import { decompressSnappy } from "./snappy.js";

const TEXT = Buffer.from(
  Array.from({ length: 300 }, (_, index) => `${"ab".repeat(index % 9)}-${index % 40}`).join(""),
);

test("what was compressed comes back", () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("a"), TEXT, Buffer.alloc(100_000, "abc")]) {
    expect(Buffer.from(decompressSnappy(snappyCompress(bytes), bytes.length)).equals(bytes)).toBe(
      true,
    );
  }
});

test("literals and copies of every form are known", () => {
  const literal = Buffer.alloc(300, "0123456789");
  const long = [0xf4, 299 & 0xff, 299 >> 8, ...literal];
  const copies = [0b001_100_01, 10, 0b000111_10, 0x2c, 0x01, 0b000111_11, 0x2c, 0x01, 0, 0];
  const input = Uint8Array.from([0xc4, 0x02, ...long, ...copies]);
  expect(decompressSnappy(input, 324)).toHaveLength(324);
});

test("a literal that claims to be long does not go back", () => {
  const input = Uint8Array.from([8, 0xfc, 0xfa, 0xff, 0xff, 0xff, 1, 2, 3, 4]);
  expect(() => decompressSnappy(input, 8)).toThrow("not what snappy writes");
});

test("a size that the bytes cannot have takes no memory", () => {
  expect(() => decompressSnappy(Uint8Array.of(1, 0), 2 ** 31)).toThrow("too short for its size");
});

test("any damaged byte gives as many bytes, or the error", async (context) => {
  const input = snappyCompress(TEXT);
  const attacks = countAttacks(context, "damaged snappy", 1000);
  for (let at = 0; at < input.length; at += 1) {
    for (const byte of [0, 0xff, 0xfc, (input[at] ?? 0) ^ 0x80]) {
      attacks.attempt(() => {
        try {
          expect(decompressSnappy(input.with(at, byte), TEXT.length)).toHaveLength(TEXT.length);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: a page /);
        }
      });
    }
  }
});
