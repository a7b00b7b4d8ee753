import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBlocks, type LineBlock } from "./cut-blocks.js";

async function* toChunks(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}

async function cut(
  pieces: readonly (string | Uint8Array)[],
  options?: { minBytes?: number; maxLineBytes?: number },
): Promise<LineBlock[]> {
  const blocks: LineBlock[] = [];
  for await (const block of cutBlocks(toChunks(pieces), options)) blocks.push(block);
  return blocks;
}

/** Blocks as `line@offset text`; `-` in place of the bytes that were dropped. */
function show(blocks: readonly LineBlock[]): string[] {
  return blocks.map(({ line, offset, bytes }) => {
    const text = bytes === undefined ? "-" : Buffer.from(bytes).toString();
    return `${line}@${offset} ${text}`;
  });
}

test("blocks end where lines do", async () => {
  expect(show(await cut(["a\nb", "c\nd", "\n", "e"]))).toEqual([
    "1@0 a\n",
    "2@2 bc\n",
    "3@5 d\n",
    "4@7 e",
  ]);
  expect(await cut([])).toEqual([]);
  expect(await cut(["", ""])).toEqual([]);
});

test("blocks have a least size, but for the last", async () => {
  const pieces = ["a\n", "b\n", "c\nd", "d\n", "e\n"];
  expect(show(await cut(pieces, { minBytes: 5 }))).toEqual(["1@0 a\nb\nc\n", "4@6 dd\ne\n"]);
  expect(show(await cut(pieces, { minBytes: 100 }))).toEqual(["1@0 a\nb\nc\ndd\ne\n"]);
});

test("the memory of a block is its own", async () => {
  const chunk = Buffer.from("a\nb\n");
  const [block] = await cut([chunk]);
  chunk.fill(0);
  expect(Buffer.from(block?.bytes ?? []).toString()).toBe("a\nb\n");
  expect(block?.bytes?.buffer.byteLength).toBe(4);
});

describe("a line that is too long is dropped, and counted", () => {
  const long = "x".repeat(10);
  test.each([
    ["alone", [long, long], ["1@0 -"]],
    ["with its end", [long, `${long}\n`], ["1@0 -"]],
    ["before another", [long, `${long}\nb\n`], ["1@0 -", "2@21 b\n"]],
    ["after another", ["a\n", long, `${long}\n`, "c"], ["1@0 a\n", "2@2 -", "3@23 c"]],
    ["that begins amid a chunk", [`a\n${long}`, `${long}\nc`], ["1@0 a\n", "2@2 -", "3@23 c"]],
    ["twice", [long, `${long}\n${long}`, `${long}\n`], ["1@0 -", "2@21 -"]],
    ["over many chunks", [...long, ...long, "\n", "b"], ["1@0 -", "2@21 b"]],
  ])("%s", async (_, pieces, blocks) => {
    expect(show(await cut(pieces, { maxLineBytes: 9 }))).toEqual(blocks);
  });

  test("what came before it is passed on though it is less than a block", async () => {
    const options = { minBytes: 100, maxLineBytes: 9 };
    expect(show(await cut([`a\nb\n${long}`, "\nc"], options))).toEqual([
      "1@0 a\nb\n",
      "3@4 -",
      "4@15 c",
    ]);
  });
});

test("the blocks are the stream, at the lines and offsets that they say, however it is cut", async () => {
  const text = fc.string({ unit: fc.constantFrom("\n", "\n", "a", "é", "\r"), maxLength: 60 });
  const options = fc.record({
    minBytes: fc.nat(20),
    maxLineBytes: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 9 }),
      options,
      async (content, size, limits) => {
        const all = Buffer.from(content);
        const pieces: Buffer[] = [];
        for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
        let end = 0;
        for (const { line, offset, bytes } of await cut(pieces, limits)) {
          expect(offset).toBe(end);
          expect(line).toBe(all.toString("latin1", 0, offset).split("\n").length);
          if (bytes === undefined) {
            const newline = all.indexOf(0x0a, offset);
            const next = newline < 0 ? all.length : newline + 1;
            expect(next - offset).toBeGreaterThan(limits.maxLineBytes);
            end = next;
          } else {
            end = offset + bytes.length;
            expect(all.subarray(offset, end).equals(bytes)).toBe(true);
            expect(end === all.length || all[end - 1] === 0x0a).toBe(true);
          }
        }
        expect(end).toBe(all.length);
      },
    ),
  );
});
