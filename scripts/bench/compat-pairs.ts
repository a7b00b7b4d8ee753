import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../../src/base/files/source.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { UserError } from "../../src/base/user-error.js";
import {
  type Direction,
  isSchema,
  type Schema,
} from "../../src/contract/compat/schema/schema-set.js";
import { REPO_ROOT } from "../run-script.js";

/** Two versions of a schema, and the correct verdicts. */
export interface Pair extends Readonly<Record<Direction, Verdict>> {
  readonly id: string;
  readonly old: Schema;
  readonly new: Schema;
  /** JSON Pointer, after `#`, of the type to be compared. Default: the whole document. */
  readonly old_type?: string;
  readonly new_type?: string;
  /** Path of the document in its folder. */
  readonly path?: string;
  /** The other files of the folder, by path. */
  readonly old_files?: Readonly<Record<string, Schema>>;
  readonly new_files?: Readonly<Record<string, Schema>>;
}

const VERDICTS = ["compatible", "breaking", "undecided"] as const;
export type Verdict = (typeof VERDICTS)[number];

const FOLDER = join(REPO_ROOT, "fixtures", "compat");

/** Every file of pairs among the fixtures. */
export const DEFAULT_PAIR_FILES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith("pairs.json"))
  .map((name) => join(FOLDER, name));

/** Reads files of pairs. Throws UserError (exit 3) for other files, and for files without pairs. */
export function readPairs(files: readonly string[]): Pair[] {
  return files.flatMap((file) => {
    const pairs = readJson(file);
    if (!Array.isArray(pairs) || pairs.length === 0) throw new UserError(`${file}: has no pairs`);
    return pairs.map((pair: unknown, index) => {
      if (!isPair(pair)) throw new UserError(`${file} /${index}: is not a pair of schemas`);
      return pair;
    });
  });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UserError(`${file}: is not JSON: ${error.message}`);
    throw toReadError(file, error);
  }
}

function isPair(value: unknown): value is Pair {
  if (!isJsonObject(value)) return false;
  const { id, old: older, new: newer, backward, forward } = value;
  const texts = [value.path, value.old_type, value.new_type];
  const files = [value.old_files, value.new_files];
  return (
    typeof id === "string" &&
    isSchema(older) &&
    isSchema(newer) &&
    texts.every((text) => text === undefined || typeof text === "string") &&
    files.every((each) => each === undefined || isJsonObject(each)) &&
    [backward, forward].every((verdict) => VERDICTS.some((each) => each === verdict))
  );
}

/** One version of a pair. */
export interface PairSide {
  readonly schema: Schema;
  readonly path: string;
  readonly files: Readonly<Record<string, Schema>>;
  /** Without `#`. */
  readonly type: string | undefined;
}

export function sideOf(pair: Pair, side: "old" | "new"): PairSide {
  return {
    schema: pair[side],
    path: pair.path ?? "record.json",
    files: pair[`${side}_files`] ?? {},
    type: pair[`${side}_type`]?.replace(/^#/, ""),
  };
}
