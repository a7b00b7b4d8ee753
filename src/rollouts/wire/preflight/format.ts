import type { JsonObject } from "../../../base/json/value.js";
import type { RowReader } from "./row-reader.js";
import type { MessageStyle } from "./style.js";
import type { TrainerRow } from "./trainer-row.js";

/**
 * What a column holds. `conversation`: messages, or plain text in rows that are not conversational; `tools`: definitions as
 * a list, or as JSON text.
 */
export type ColumnKind =
  | "boolean"
  | "conversation"
  | "list"
  | "messages"
  | "number"
  | "object"
  | "text"
  | "tools"
  | "any";

/** The columns of one form of rows. */
export interface RowForm {
  /** What a row is, as a noun: `preference pair`. */
  readonly name: string;
  readonly required: Readonly<Record<string, ColumnKind>>;
  readonly optional: Readonly<Record<string, ColumnKind>>;
  /** Whether rows of this form are recognised without `--target`. Default: if they hold the required columns. */
  recognise?(row: JsonObject): boolean;
  /** Reads a row that has the required columns. Adds faults to the reader. */
  read(row: JsonObject, reader: RowReader): Omit<TrainerRow, "value">;
}

/** How one trainer reads files: a file in `formats/`. */
export interface TrainerFormat {
  /** As in `validate --target`. */
  readonly id: string;
  readonly purpose: string;
  /** More specific forms first. */
  readonly forms: readonly RowForm[];
  readonly style: MessageStyle;
  /** Whether a column that it does not know is an error. Otherwise it ignores them. */
  readonly isClosed: boolean;
  /** Whether Hugging Face `datasets` loads its files, and infers the columns from the first 10 MiB. */
  readonly infersColumns: boolean;
}
