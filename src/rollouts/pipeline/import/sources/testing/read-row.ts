import type { JsonObject } from "../../../../../base/json/value.js";
import type { Imported, ImportedBranch, ImportSettings, ImportSource } from "../source.js";

export const SETTINGS: ImportSettings = {
  idPrefix: "",
  temperature: 1,
  rewards: { objective: undefined, score: undefined },
};

export interface ReadOptions {
  readonly settings?: Partial<ImportSettings>;
  readonly flags?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
}

/** Reads rows with a source and the given options. */
export function readRows(
  source: ImportSource,
  rows: readonly JsonObject[],
  { settings = {}, flags = [], texts = {} }: ReadOptions = {},
): Imported[] {
  const reader = source.createReader(
    { ...SETTINGS, ...settings },
    { flag: (name) => flags.includes(name), optionalText: (name) => texts[name] },
  );
  return rows.map((row) => reader.read(row));
}

/** The branch of one row. Throws if there is none. */
export function readBranch(
  source: ImportSource,
  row: JsonObject,
  options?: ReadOptions,
): ImportedBranch {
  const [imported] = readRows(source, [row], options);
  if (imported?.kind === "branch") return imported;
  throw new Error(`no branch: ${JSON.stringify(imported)}`);
}
