import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { toReadError } from "../../src/base/files/source.js";
import { UserError } from "../../src/base/user-error.js";
import { DIRECTIONS } from "../../src/contract/compat/schema/schema-set.js";
import type { Pair, Rulings, Verdict } from "../../src/contract/compat/testing/judge-pair.js";

/** An answer of a program about one direction of a pair. */
interface Answer {
  /** The pair and the direction. */
  readonly question: string;
  readonly expected: Verdict;
  readonly given: Verdict;
  /** Of a break: whether the printed record proves it. Undefined without a record. */
  readonly isProven?: boolean | undefined;
}

/** The answers of one program. */
export interface Column {
  readonly name: string;
  readonly answers: readonly Answer[];
}

/** A pair, and what `diff` says of it. */
export interface Judged {
  readonly pair: Pair;
  readonly rulings: Rulings;
}

/** The verdicts of `diff`, by the lens `validate`. */
export function askOwn(judged: readonly Judged[]): Column {
  const answers = judged.flatMap(({ pair, rulings }) =>
    DIRECTIONS.map((direction) => {
      const { verdict: given, isProven } = rulings[direction];
      return { question: `${pair.id} ${direction}`, expected: pair[direction], given, isProven };
    }),
  );
  return { name: "rollout-wire", answers };
}

/**
 * Has another program answer: it reads the pairs as JSON, and prints for each a line with a verdict per direction. It
 * compares whole documents. What `diff` decides by types, and a document as a whole does not show, it is not asked.
 */
export function askPeer(
  name: string,
  command: readonly string[],
  judged: readonly Judged[],
): Column {
  const [program = "", ...args] = command;
  const { stdout, stderr } = spawnSync(program, args, {
    ...{
      input: JSON.stringify(judged.map(({ pair }) => pair)),
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    },
  });
  const lines = stdout.split("\n").slice(0, -1);
  if (lines.length !== judged.length) throw new UserError(`${name} stopped: ${stderr.trim()}`);
  const answers = judged.flatMap(({ pair, rulings }, index) => {
    const verdicts: Readonly<Record<string, Verdict>> = JSON.parse(lines[index] ?? "{}");
    return DIRECTIONS.filter((direction) => rulings[direction].isOfWhole).map((direction) => ({
      question: `${pair.id} ${direction}`,
      expected: pair[direction],
      given: verdicts[direction] ?? "undecided",
    }));
  });
  return { name, answers };
}

/** Reads files of pairs; each pair counts once. Throws UserError for a file without pairs. */
export function readPairs(files: readonly string[]): Pair[] {
  const pairs = files.flatMap((file): Pair[] => {
    const read = readJson(file);
    if (!Array.isArray(read) || read.length === 0) throw new UserError(`${file}: has no pairs`);
    return read;
  });
  return [
    ...new Map(pairs.map((pair) => [JSON.stringify([pair.old, pair.new, pair.id]), pair])).values(),
  ];
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UserError(`${file}: is not JSON: ${error.message}`);
    throw toReadError(file, error);
  }
}

const isWrong = ({ expected, given }: Answer): boolean =>
  given !== expected && given !== "undecided" && expected !== "undecided";

const count = (answers: readonly Answer[], is: (answer: Answer) => boolean): string =>
  String(answers.filter(is).length);

const ROWS: readonly (readonly [string, (answers: readonly Answer[]) => string])[] = [
  ["questions", ({ length }) => String(length)],
  ["right", (all) => count(all, ({ expected, given }) => expected === given)],
  [
    'wrong: "compatible"',
    (all) => count(all, (each) => isWrong(each) && each.given === "compatible"),
  ],
  ['wrong: "breaking"', (all) => count(all, (each) => isWrong(each) && each.given === "breaking")],
  [
    "undecided or no answer",
    (all) => count(all, ({ expected, given }) => given === "undecided" && expected !== given),
  ],
  ["breaks proved by a record", (all) => count(all, ({ isProven }) => isProven === true)],
  ["records that prove nothing", (all) => count(all, ({ isProven }) => isProven === false)],
];

/** The figures of all programs side by side, and each answer that the first one missed. */
export function formatColumns(columns: readonly [Column, ...Column[]]): string {
  const line = (title: string, cells: readonly string[]): string =>
    `${title.padEnd(28)}${cells.map((cell) => cell.padStart(18)).join("")}\n`;
  const missed = columns[0].answers.filter(isMissed);
  return [
    line(
      "",
      columns.map(({ name }) => name),
    ),
    ...ROWS.map(([title, figure]) =>
      line(
        title,
        columns.map(({ answers }) => figure(answers)),
      ),
    ),
    ...missed.map(({ question, expected, given }) =>
      given === expected
        ? `${question}: the record proves nothing\n`
        : `${question}: ${given}, expected ${expected}\n`,
    ),
  ].join("");
}

function isMissed({ expected, given, isProven }: Answer): boolean {
  return given !== expected || isProven === false;
}

/** Whether a program was asked, and gave every verdict with a record that proves it. */
export function isRight({ answers }: Column): boolean {
  return answers.length > 0 && !answers.some(isMissed);
}
