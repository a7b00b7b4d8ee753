import { displayName, type InputSource, processSource } from "./input-source.js";
import { openInput } from "./open-input.js";
import { splitLines } from "./split-lines.js";
import { type RecordLine, toRecordLine } from "./to-record-line.js";

/**
 * Streams the lines of JSONL files that are not blank, file by file, in batches of at most one
 * chunk of the stream. Gzip and zstd are unpacked, and `-` is standard input. A bad line is a result;
 * a file that cannot be read throws UserError (exit 3).
 */
export async function* readRecords(
  files: readonly string[],
  source: InputSource = processSource,
): AsyncGenerator<RecordLine[]> {
  for (const file of files) {
    for await (const batch of splitLines(openInput(file, source))) {
      yield batch.map((line) => toRecordLine(displayName(file), line));
    }
  }
}
