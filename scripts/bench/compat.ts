import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { formatRows } from "../../src/cli/output.js";
import { checkContainment } from "../../src/compat/containment.js";
import {
  DIRECTIONS,
  type Direction,
  isSchema,
  type Schema,
  SchemaSet,
} from "../../src/compat/schema/schema-set.js";
import { toReadError } from "../../src/files/source.js";
import { isJsonObject } from "../../src/json/value.js";
import { formatBytes } from "../../src/text.js";
import { UserError } from "../../src/user-error.js";
import { REPO_ROOT } from "../run-script.js";
import { AMOUNTS, createLargeSchema, STYLES } from "./large-schema.js";

/** A pair and direction, with the verdict. */
export interface Answer {
  readonly id: string;
  readonly direction: Direction;
  readonly expected: Verdict;
  readonly given: Verdict;
}

export interface PairVerdict {
  readonly pairs: number;
  readonly questions: number;
  readonly right: number;
  readonly wrong: readonly Answer[];
  /** Number of decided verdicts. */
  readonly undecided: readonly Answer[];
  /** Witnesses that are valid under exactly one side. */
  readonly witnesses: number;
  readonly invalidWitnesses: readonly Answer[];
  readonly milliseconds: number;
}

/** Maximum share of undecided verdicts. */
const MAX_UNDECIDED = 0.03;

/** Computes both verdicts of each pair. */
export function checkPairs(pairs: readonly Pair[]): PairVerdict {
  const answers: Answer[] = [];
  const invalidWitnesses: Answer[] = [];
  let witnesses = 0;
  let milliseconds = 0;
  for (const pair of pairs) {
    for (const direction of DIRECTIONS) {
      const [writer, reader] =
        direction === "backward" ? [pair.old, pair.new] : [pair.new, pair.old];
      const start = performance.now();
      const comparison = checkContainment(rootOf(writer), rootOf(reader));
      milliseconds += performance.now() - start;
      const { verdict } = comparison;
      const answer = { id: pair.id, direction, expected: pair[direction], given: verdict };
      answers.push(answer);
      if (comparison.verdict !== "breaking") continue;
      const isProof = isValid(writer, comparison.witness) && !isValid(reader, comparison.witness);
      if (isProof) witnesses += 1;
      else invalidWitnesses.push(answer);
    }
  }
  const missed = answers.filter(({ expected, given }) => expected !== given);
  return {
    pairs: pairs.length,
    questions: answers.length,
    right: answers.length - missed.length,
    wrong: missed.filter(({ given }) => given !== "undecided"),
    undecided: missed.filter(({ given }) => given === "undecided"),
    witnesses,
    invalidWitnesses,
    milliseconds,
  };
}

/** Whether the bar is met: no wrong verdict, every witness valid, few undecided. */
export function isGreen({ questions, wrong, undecided, invalidWitnesses }: PairVerdict): boolean {
  if (questions === 0 || wrong.length > 0 || invalidWitnesses.length > 0) return false;
  return undecided.length <= MAX_UNDECIDED * questions;
}

function rootOf(schema: Schema) {
  return new SchemaSet().add(schema, "schema:/");
}

/** Validates with Ajv, compiled for this one value from the original schema. */
function isValid(schema: Schema, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  return ajv.compile(structuredClone(schema))(value) === true;
}

/** Two versions of a schema, and the correct verdicts. */
export interface Pair {
  readonly id: string;
  readonly old: Schema;
  readonly new: Schema;
  readonly backward: Verdict;
  readonly forward: Verdict;
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
  return (
    typeof id === "string" &&
    isSchema(older) &&
    isSchema(newer) &&
    [backward, forward].every((verdict) => VERDICTS.some((each) => each === verdict))
  );
}

/** Maximum seconds for a diff of two such schemas. */
const BAR = 2;

/** Number of runs; the best one counts, because the others depend on the load of the machine. */
const RUNS = 3;

/** Times the built command on large schemas of each style with different numbers of changes; one line each. */
export function* timeDiffs(folder: string): Generator<string> {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  yield `\n${availableParallelism()} cores, load ${load}\n${"diff of".padEnd(44)}${"seconds".padEnd(10)}exit  (best of ${RUNS})\n`;
  for (const style of STYLES) {
    const before = join(folder, `${style}.json`);
    const text = JSON.stringify(createLargeSchema(style, "nothing"));
    writeFileSync(before, text);
    for (const amount of AMOUNTS) {
      const after = join(folder, `${style}-${amount}.json`);
      writeFileSync(after, JSON.stringify(createLargeSchema(style, amount)));
      const runs = Array.from({ length: RUNS }, () => timeDiff(before, after));
      const seconds = Math.min(...runs.map((run) => run.seconds));
      const [status] = runs.map((run) => run.status);
      const what = `${style}, ${formatBytes(Buffer.byteLength(text))}, ${amount} changed`;
      const verdict = seconds > BAR ? `  over the bar of ${BAR} s` : "";
      yield `${what.padEnd(44)}${seconds.toFixed(2).padEnd(10)}${status}${verdict}\n`;
    }
  }
}

function timeDiff(before: string, after: string) {
  const program = [join(REPO_ROOT, "dist", "bin", "main.js"), "diff", before, after];
  const start = performance.now();
  const { status } = spawnSync(process.execPath, program, { cwd: REPO_ROOT, stdio: "ignore" });
  return { seconds: (performance.now() - start) / 1000, status };
}

/** Prints the figures and each wrong answer. */
export function formatVerdicts(verdicts: PairVerdict): string {
  const { pairs, questions, right, wrong, undecided, witnesses, invalidWitnesses, milliseconds } =
    verdicts;
  return [
    formatRows([
      ["pairs", `${pairs}, each asked in both directions`],
      ["right", `${right} of ${questions}`],
      ["wrong", `${wrong.length}`],
      ["undecided", `${undecided.length} (${((100 * undecided.length) / questions).toFixed(1)} %)`],
      ["witnesses", `${witnesses} verified, ${invalidWitnesses.length} invalid`],
      ["time", `${(milliseconds / 1000).toFixed(1)} s`],
      ["bar", isGreen(verdicts) ? "met" : "falls short"],
    ]),
    ...wrong.map(describe),
    ...undecided.map(describe),
    ...invalidWitnesses.map(({ id, direction }) => `${id} ${direction}: the witness is invalid\n`),
  ].join("");
}

function describe({ id, direction, expected, given }: Answer): string {
  return `${id} ${direction}: ${given}, expected ${expected}\n`;
}
