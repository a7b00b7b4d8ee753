import { blockLines, type SourceLine } from "./block-lines.js";
import { cutBlocks } from "./cut-blocks.js";

/**
 * Cuts a byte stream into lines, as `blockLines` does, one batch per chunk in which a line ends. Holds
 * no more than one chunk and the line under way; a line of more than `maxLineBytes` is given without
 * its bytes, by default one that is longer than V8's longest string.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes?: number,
): AsyncGenerator<SourceLine[]> {
  for await (const block of cutBlocks(chunks, { maxLineBytes })) {
    const lines = [...blockLines(block, maxLineBytes)];
    if (lines.length > 0) yield lines;
  }
}
