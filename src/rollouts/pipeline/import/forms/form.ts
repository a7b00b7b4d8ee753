import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { ImportReader, ImportSettings } from "../reader.js";

/** An option of one form, as `--help` shows it. Forms that share an option share its object. */
export interface FormOption {
  /** In the syntax of commander: `--allow-eval`, `--group-by <what>`. */
  readonly flags: string;
  readonly description: string;
}

/** Values of a form's options by their camelCase names. */
export interface FormValues {
  flag(name: string): boolean;
  optionalText(name: string): string | undefined;
}

/** What the records of a kind of log look like, and how they are read. */
export interface Form {
  /** Name on the command line. */
  readonly id: string;
  /** Who writes such files. */
  readonly purpose: string;
  /** What one record is called, such as `row`. */
  readonly unit: string;
  /** Glob patterns of the files that are read from a folder. */
  readonly files: readonly string[];
  /** Whether all lines of a file are one text, such as those of a session; if that depends, on the first values. */
  readonly joinsLines?: boolean | ((sample: readonly unknown[]) => boolean);
  readonly options: readonly FormOption[];
  /**
   * Tells by the structure of the first values of a file whether it has this form: those of its lines, or that of the
   * whole document. The objects of an array stand in its place. Cheap, and exclusive but for the order of the list.
   */
  recognise(sample: readonly unknown[]): boolean;
  /**
   * `sample`: as in `recognise`, of the first such file; empty if the user named the form. Throws UserError (exit 2) for
   * inconsistent settings.
   */
  createReader(
    settings: ImportSettings,
    values: FormValues,
    sample: readonly unknown[],
  ): ImportReader;
}

/** A file in the three ways in which it may be stored. */
export function packed(pattern: string): string[] {
  return ["", ".gz", ".zst"].map((suffix) => `${pattern}${suffix}`);
}

/** Tells whether a value is an object with all these keys. */
export function hasKeys(value: unknown, ...keys: readonly string[]): value is JsonObject {
  return isJsonObject(value) && keys.every((key) => Object.hasOwn(value, key));
}
