import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSchema, type Schema } from "../../../src/compat/schema-set.js";
import { toReadError } from "../../../src/files/source.js";
import { isJsonObject } from "../../../src/json/value.js";
import { UserError } from "../../../src/user-error.js";
import { HOME } from "../../home.js";

/** Two versions of a schema, and what is right to say of them. */
export interface Pair {
  readonly id: string;
  readonly old: Schema;
  readonly new: Schema;
  readonly backward: Verdict;
  readonly forward: Verdict;
}

const VERDICTS = ["compatible", "breaking", "undecided"] as const;
export type Verdict = (typeof VERDICTS)[number];

const FOLDER = join(HOME, "fixtures", "compat");

/** Every file of pairs among the fixtures. */
export const DEFAULT_PAIR_FILES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith("pairs.json"))
  .map((name) => join(FOLDER, name));

/** Reads files of pairs. Throws UserError (exit 3) for what is no such file, or holds none. */
export function readPairs(files: readonly string[]): Pair[] {
  return files.flatMap((file) => {
    const pairs = readJson(file);
    if (!Array.isArray(pairs) || pairs.length === 0) throw new UserError(`${file}: holds no pairs`);
    return pairs.map((pair: unknown, index) => {
      if (!isPair(pair)) throw new UserError(`${file} /${index}: is no pair of schemas`);
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
  return (
    typeof id === "string" &&
    isSchema(older) &&
    isSchema(newer) &&
    [backward, forward].every((verdict) => VERDICTS.some((each) => each === verdict))
  );
}
