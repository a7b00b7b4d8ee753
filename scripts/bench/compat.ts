import { DIRECTIONS, type Direction } from "../../src/contract/compat/schema/schema-set.js";
import type { Pair, Verdict } from "./compat-pairs.js";

/** A program that answers what a change of schema breaks. */
export interface Judge {
  readonly name: string;
  /** Its two verdicts on a pair. */
  readonly judge: (pair: Pair) => Readonly<Record<Direction, Ruling>>;
}

export interface Ruling {
  /** `undecided` includes pairs that the program refuses. */
  readonly verdict: Verdict;
  /** For a break: whether its record is valid in the writer's version and not in the reader's; undefined without one. */
  readonly isProven?: boolean | undefined;
}

/** A pair and direction, with the verdict. */
export interface Answer {
  readonly id: string;
  readonly direction: Direction;
  readonly expected: Verdict;
  readonly given: Verdict;
}

export interface PairVerdict {
  readonly name: string;
  readonly pairs: number;
  readonly questions: number;
  readonly right: number;
  readonly wrong: readonly Answer[];
  /** Decided verdicts that the program did not reach. */
  readonly undecided: readonly Answer[];
  /** Number of witnesses that are valid under exactly one side. */
  readonly witnesses: number;
  readonly invalidWitnesses: readonly Answer[];
  readonly milliseconds: number;
}

/** Maximum share of undecided verdicts. */
const MAX_UNDECIDED = 0.02;

/** Asks for both verdicts of each pair. */
export function checkPairs(pairs: readonly Pair[], { name, judge }: Judge): PairVerdict {
  let milliseconds = 0;
  const rulings = pairs.flatMap((pair) => {
    const start = performance.now();
    const given = judge(pair);
    milliseconds += performance.now() - start;
    return DIRECTIONS.map((direction) => {
      const { verdict, isProven } = given[direction];
      const answer = { id: pair.id, direction, expected: pair[direction], given: verdict };
      return { answer, isProven };
    });
  });
  const answers = rulings.map(({ answer }) => answer);
  const missed = answers.filter(({ expected, given }) => expected !== given);
  return {
    name,
    pairs: pairs.length,
    questions: answers.length,
    right: answers.length - missed.length,
    wrong: missed.filter(({ given }) => given !== "undecided"),
    undecided: missed.filter(({ given }) => given === "undecided"),
    witnesses: rulings.filter(({ isProven }) => isProven === true).length,
    invalidWitnesses: rulings.flatMap(({ answer, isProven }) =>
      isProven === false ? [answer] : [],
    ),
    milliseconds,
  };
}

/** Whether the bar is met: no wrong verdict, every witness valid, few undecided. */
export function isGreen({ questions, wrong, undecided, invalidWitnesses }: PairVerdict): boolean {
  if (questions === 0 || wrong.length > 0 || invalidWitnesses.length > 0) return false;
  return undecided.length <= MAX_UNDECIDED * questions;
}

/** Prints the figures of all programs side by side, and each answer that the first one missed. */
export function formatVerdicts(verdicts: readonly [PairVerdict, ...PairVerdict[]]): string {
  const [own] = verdicts;
  const rows: readonly (readonly [string, (verdict: PairVerdict) => string])[] = [
    ["", ({ name }) => name],
    ["pairs", ({ pairs }) => `${pairs}, in both directions`],
    ["right", ({ right, questions }) => `${right} of ${questions}`],
    ["wrong", ({ wrong }) => `${wrong.length}`],
    ['wrong: "compatible"', ({ wrong }) => `${wrong.filter(isFalsePeace).length}`],
    ["undecided", describeUndecided],
    ["witnesses", describeWitnesses],
    ["time", ({ milliseconds }) => `${(milliseconds / 1000).toFixed(1)} s`],
    ["bar", (verdict) => (verdict === own ? (isGreen(own) ? "met" : "falls short") : "")],
  ];
  return [
    ...rows.map(([title, figure]) => {
      const figures = verdicts.map((verdict) => figure(verdict).padEnd(26));
      return `${title.padEnd(22)}${figures.join("").trimEnd()}\n`;
    }),
    ...own.wrong.map(describe),
    ...own.undecided.map(describe),
    ...own.invalidWitnesses.map(
      ({ id, direction }) => `${id} ${direction}: the witness is invalid\n`,
    ),
  ].join("");
}

function isFalsePeace({ given }: Answer): boolean {
  return given === "compatible";
}

function describeUndecided({ undecided, questions }: PairVerdict): string {
  return `${undecided.length} (${((100 * undecided.length) / questions).toFixed(1)} %)`;
}

function describeWitnesses({ witnesses, invalidWitnesses }: PairVerdict): string {
  const invalid = invalidWitnesses.length;
  return witnesses + invalid === 0 ? "none" : `${witnesses} verified, ${invalid} invalid`;
}

function describe({ id, direction, expected, given }: Answer): string {
  return `${id} ${direction}: ${given}, expected ${expected}\n`;
}
