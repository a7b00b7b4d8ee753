import { fileURLToPath } from "node:url";
import { expandInputs } from "../files/inputs.js";
import { type InputSource, processSource, STDIN } from "../files/source.js";
import { blockLines } from "./blocks.js";
import { FileBlocks } from "./file-blocks.js";
import { toRecordLine } from "./reader.js";
import { type RecordInput, toChunks } from "./record-input.js";
import type { RecordLine } from "./record-line.js";

/**
 * Streams the non-blank lines of files, file by file, in batches of at most one chunk of the stream: JSONL, plain or compressed
 * (gzip, zstd), the records of a `.json` file that is one JSON text, and the rows of Parquet. A bad line is a result. Lines of
 * a stream have `<stdin>` for the name of their file.
 *
 * Throws UserError (exit 3) for an input that cannot be read, and TypeError for what is no input. In browsers, only a Blob, a
 * Response or a stream can be read, plain or gzip.
 */
export async function* readRecords(
  input: RecordInput,
  source: InputSource = processSource,
): AsyncGenerator<RecordLine[]> {
  const stdin = toChunks(input);
  const from = stdin === undefined ? source : { cwd: "", stdin };
  const files = stdin === undefined ? await expandInputs(toPaths(input), source) : [STDIN];
  const blocks = new FileBlocks(files, from, { blockBytes: 0, documents: true });
  for await (const { file, block } of blocks.read()) {
    const lines = [...blockLines(block)].map((line) => toRecordLine(file, line));
    if (lines.length > 0) yield lines;
  }
}

function toPaths(input: RecordInput): readonly string[] {
  if (typeof input === "string") return [input];
  if (Array.isArray(input)) return input;
  if (input instanceof URL && input.protocol === "file:") return [fileURLToPath(input)];
  const kinds = "the path or the URL of a file, paths, a Blob, a Response or a stream";
  const given = input instanceof URL ? input.href : Object.prototype.toString.call(input);
  throw new TypeError(`records are read from ${kinds}, not from ${given}`);
}
