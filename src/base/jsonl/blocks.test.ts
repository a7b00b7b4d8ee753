import fc, {
  array,
  asyncProperty,
  assert as checkProperty,
  constantFrom,
  string,
  uint8Array,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { blockLines, cutBlocks, type LineBlock, type SourceLine, splitLines } from "./blocks.js";

describe("cutBlocks", () => {
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

  /** Formats blocks as `line@offset text`, with `-` for dropped bytes. */
  function show(blocks: readonly LineBlock[]): string[] {
    return blocks.map(({ line, offset, bytes }) => {
      const text = bytes === undefined ? "-" : Buffer.from(bytes).toString();
      return `${line}@${offset} ${text}`;
    });
  }

  test("blocks end at line ends", async () => {
    expect(show(await cut(["a\nb", "c\nd", "\n", "e"]))).toEqual([
      "1@0 a\n",
      "2@2 bc\n",
      "3@5 d\n",
      "4@7 e",
    ]);
    expect(await cut([])).toEqual([]);
    expect(await cut(["", ""])).toEqual([]);
  });

  test("blocks have a minimum size, except the last", async () => {
    const pieces = ["a\n", "b\n", "c\nd", "d\n", "e\n"];
    expect(show(await cut(pieces, { minBytes: 5 }))).toEqual(["1@0 a\nb\nc\n", "4@6 dd\ne\n"]);
    expect(show(await cut(pieces, { minBytes: 100 }))).toEqual(["1@0 a\nb\nc\ndd\ne\n"]);
  });

  test("blocks of very short lines have a maximum number of lines", async () => {
    const count = 2 ** 15 + 3;
    const blocks = await cut(["\n".repeat(count)], { minBytes: count });
    expect(blocks.map(({ line, offset, bytes }) => [line, offset, bytes?.length])).toEqual([
      [1, 0, 2 ** 14],
      [2 ** 14 + 1, 2 ** 14, 2 ** 14],
      [2 ** 15 + 1, 2 ** 15, 3],
    ]);
    expect(new Set(blocks.map(({ bytes }) => bytes?.buffer)).size).toBe(3);
  });

  test("blocks do not share memory", async () => {
    const chunk = Buffer.from("a\nb\n");
    const [block] = await cut([chunk]);
    chunk.fill(0);
    expect(Buffer.from(block?.bytes ?? []).toString()).toBe("a\nb\n");
    expect(block?.bytes?.buffer.byteLength).toBe(4);
  });

  describe("a line that is too long is dropped but counted", () => {
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

    test("the lines before it are yielded even if they are less than a block", async () => {
      const options = { minBytes: 100, maxLineBytes: 9 };
      expect(show(await cut([`a\nb\n${long}`, "\nc"], options))).toEqual([
        "1@0 a\nb\n",
        "3@4 -",
        "4@15 c",
      ]);
    });
  });

  test("blocks reproduce the stream at the stated lines and offsets, however it is chunked", async () => {
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
});

describe("blockLines", () => {
  function linesOf(text: string, start = { line: 1, offset: 0 }, maxLineBytes?: number) {
    const bytes = Uint8Array.from(Buffer.from(text));
    return [...blockLines({ ...start, bytes }, maxLineBytes)].map((each) => ({
      line: each.line,
      offset: each.offset,
      stored: each.stored.toString(),
      text: each.bytes?.toString(),
    }));
  }

  test("lines with their positions, as stored and as parsed", () => {
    expect(linesOf("a\r\n\u2028b", { line: 5, offset: 100 })).toEqual([
      { line: 5, offset: 100, stored: "a\r", text: "a" },
      { line: 6, offset: 103, stored: "\u2028b", text: "\u2028b" },
    ]);
  });

  test("blank lines count and are skipped", () => {
    expect(linesOf("\n \t\r\n\na\n\r\n").map(({ line, offset }) => [line, offset])).toEqual([
      [4, 6],
    ]);
    expect(linesOf("")).toEqual([]);
  });

  test("a byte-order mark is recognised at the beginning of the stream only", () => {
    expect(linesOf("\ufeffa\n\ufeffb\n").map(({ stored, text }) => [stored, text])).toEqual([
      ["\ufeffa", "a"],
      ["\ufeffb", "\ufeffb"],
    ]);
    expect(linesOf("\ufeffa", { line: 2, offset: 9 })[0]?.text).toBe("\ufeffa");
    expect(linesOf("\ufeff\r\n")).toEqual([]);
  });

  test("a line that is too long has a position but no bytes", () => {
    expect(linesOf("aaa\nbbbb\nccc", undefined, 3)).toEqual([
      { line: 1, offset: 0, stored: "aaa", text: "aaa" },
      { line: 2, offset: 4, stored: "", text: undefined },
      { line: 3, offset: 9, stored: "ccc", text: "ccc" },
    ]);
    const [dropped, ...more] = blockLines({ line: 7, offset: 9, bytes: undefined });
    expect([dropped?.line, dropped?.offset, dropped?.bytes, more]).toEqual([7, 9, undefined, []]);
  });

  test("the lines are the bytes at their offsets", () => {
    const text = fc.string({ unit: fc.constantFrom("\n", "a", "é", "\r", " ", "\ufeff") });
    fc.assert(
      fc.property(text, (content) => {
        const all = Buffer.from(content);
        const lines = content.split("\n");
        for (const { line, offset, stored } of linesOf(content)) {
          expect(stored).toBe(lines[line - 1]);
          expect(all.toString("utf8", offset, offset + Buffer.byteLength(stored))).toBe(stored);
        }
      }),
    );
  });
});

describe("splitLines", () => {
  async function* toChunks(...chunks: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }

  async function linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes?: number) {
    const lines: SourceLine[] = [];
    for await (const batch of splitLines(chunks, maxBytes)) lines.push(...batch);
    return lines.map(({ line, bytes }) => [line, bytes?.toString("utf8")]);
  }

  test("lines, the last one without a newline; blank ones are skipped but counted", async () => {
    expect(await linesOf(toChunks("a\n\n \t\r\nb\r\nc"))).toEqual([
      [1, "a"],
      [4, "b"],
      [5, "c"],
    ]);
  });

  test("an empty stream has no lines", async () => {
    expect(await linesOf(toChunks())).toEqual([]);
    expect(await linesOf(toChunks("", "\n\n", "\r\n", " \t"))).toEqual([]);
    expect(await linesOf(toChunks("\ufeff"))).toEqual([]);
  });

  test("a byte-order mark is skipped at the very start only", async () => {
    expect(await linesOf(toChunks("\ufeffa\n\ufeffb"))).toEqual([
      [1, "a"],
      [2, "\ufeffb"],
    ]);
  });

  test("only a newline ends a line", async () => {
    const text = "a\u2028b\u2029c\u0085d\re\vf\f";
    expect(await linesOf(toChunks(text))).toEqual([[1, text]]);
  });

  test("a line that is too long is yielded without its bytes, its neighbours with theirs", async () => {
    expect(await linesOf(toChunks("abc\nabcd", "ef\nghi\n", "jkl", "m"), 3)).toEqual([
      [1, "abc"],
      [2, undefined],
      [3, "ghi"],
      [4, undefined],
    ]);
  });

  test("one batch per chunk that contains a newline", async () => {
    const sizes: number[] = [];
    for await (const batch of splitLines(toChunks("a\nb\nc", "d", "\ne"))) sizes.push(batch.length);
    expect(sizes).toEqual([2, 1, 1]);
  });

  test("the lines do not depend on the chunking", async () => {
    const pieces = array(constantFrom("a", "é", "👍", "\n", "\r\n", " ", "\ufeff"));
    await checkProperty(
      asyncProperty(
        pieces,
        array(uint8Array({ minLength: 1, maxLength: 1 })),
        async (parts, cuts) => {
          const bytes = Buffer.from(parts.join(""));
          const ends = cuts.map(([cut = 0]) => cut % (bytes.length + 1)).sort((a, b) => a - b);
          const chunks = [...ends, bytes.length].map((end, at) =>
            bytes.subarray(ends[at - 1] ?? 0, end),
          );
          expect(await linesOf(toChunks(...chunks))).toEqual(await linesOf(toChunks(bytes)));
        },
      ),
    );
  });

  test("the lines of any text are its parts between newlines, without blank ones", async () => {
    await checkProperty(
      asyncProperty(array(string()), async (texts) => {
        const plain = texts.map((text) => text.replaceAll(/[\n\r\ufeff]/g, ""));
        const expected = plain
          .map((text, at): [number, string] => [at + 1, text])
          .filter(([, text]) => /[^ \t]/.test(text));
        expect(await linesOf(toChunks(plain.join("\n")))).toEqual(expected);
      }),
    );
  });
});
