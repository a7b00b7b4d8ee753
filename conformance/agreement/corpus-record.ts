import type { EntryTypeName } from "#generated/index.js";

/** One record that all implementations judge. */
export interface CorpusRecord {
  readonly type: EntryTypeName;
  /** Its JSON text on one line, spelled as it shall reach them: 1.0, 1e400, an escaped lone surrogate. */
  readonly text: string;
  readonly source: RecordSource;
}

/** Where a record comes from: a fixture as it is, or a mutation of it. */
export interface RecordSource {
  /** From the repository's root. */
  readonly file: string;
  /** Text of the file. */
  readonly source: string;
  /** Where the record stands in the file. */
  readonly pointer: string;
  readonly mutated: boolean;
}
