import type { JsonObject } from "../../../../base/json/value.js";
import type { Form } from "../forms/form.js";
import type { Imported, ImportedBranch, ImportSettings, RecordPlace } from "../reader.js";

export const SETTINGS: ImportSettings = {
  idPrefix: "",
  temperature: 1,
  rewards: { objective: undefined, score: undefined },
  mayLackReward: false,
};

/** A file without others beside it. */
export const PLACE: RecordPlace = { file: "rows.jsonl", readBeside: () => undefined };

/** No option of a form. */
export const NO_VALUES = { flag: () => false, optionalText: () => undefined };

export interface ReadOptions {
  readonly settings?: Partial<ImportSettings>;
  readonly flags?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
}

/** Reads rows with a source and the given options. */
export function readRows(
  source: Form,
  rows: readonly JsonObject[],
  { settings = {}, flags = [], texts = {} }: ReadOptions = {},
): Imported[] {
  const reader = source.createReader(
    { ...SETTINGS, ...settings },
    { flag: (name) => flags.includes(name), optionalText: (name) => texts[name] },
    rows,
  );
  return rows.map((row) => reader.read(row, PLACE));
}

/** The branch of one row. Throws if there is none. */
export function readBranch(source: Form, row: JsonObject, options?: ReadOptions): ImportedBranch {
  const [imported] = readRows(source, [row], options);
  if (imported?.kind === "branch") return imported;
  throw new Error(`no branch: ${JSON.stringify(imported)}`);
}
