import {
  array,
  asyncProperty,
  assert as checkProperty,
  constantFrom,
  string,
  uint8Array,
} from "fast-check";
import { expect, test } from "vitest";
import type { SourceLine } from "./block-lines.js";
import { splitLines } from "./split-lines.js";

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

test("nothing comes of nothing", async () => {
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

test("a line that is too long is given without its bytes, its neighbours with theirs", async () => {
  expect(await linesOf(toChunks("abc\nabcd", "ef\nghi\n", "jkl", "m"), 3)).toEqual([
    [1, "abc"],
    [2, undefined],
    [3, "ghi"],
    [4, undefined],
  ]);
});

test("one batch per chunk that ends a line", async () => {
  const sizes: number[] = [];
  for await (const batch of splitLines(toChunks("a\nb\nc", "d", "\ne"))) sizes.push(batch.length);
  expect(sizes).toEqual([2, 1, 1]);
});

test("the lines do not depend on where the chunks are cut", async () => {
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

test("the lines of any text are its pieces between newlines, less blanks", async () => {
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
