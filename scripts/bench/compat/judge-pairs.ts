import { Ajv2020 } from "ajv/dist/2020.js";
import { compare } from "../../../src/compat/containment.js";
import type { Schema } from "../../../src/compat/schema-set.js";
import { DIRECTIONS, type Direction, SchemaSet } from "../../../src/compat/schema-set.js";
import type { Pair, Verdict } from "./read-pairs.js";

/** A question with the answer that was given. */
export interface Answer {
  readonly id: string;
  readonly direction: Direction;
  readonly expected: Verdict;
  readonly given: Verdict;
}

export interface Judgement {
  readonly pairs: number;
  readonly questions: number;
  readonly right: number;
  readonly wrong: readonly Answer[];
  /** Where a verdict was to be had. */
  readonly undecided: readonly Answer[];
  /** Witnesses that are valid under one side alone. */
  readonly witnesses: number;
  readonly invalidWitnesses: readonly Answer[];
  readonly milliseconds: number;
}

/** Of all questions, so many may be left undecided. */
const MAX_UNDECIDED = 0.03;

/** Asks for both verdicts of each pair. */
export function judgePairs(pairs: readonly Pair[]): Judgement {
  const answers: Answer[] = [];
  const invalidWitnesses: Answer[] = [];
  let witnesses = 0;
  let milliseconds = 0;
  for (const pair of pairs) {
    for (const direction of DIRECTIONS) {
      const [writer, reader] =
        direction === "backward" ? [pair.old, pair.new] : [pair.new, pair.old];
      const start = performance.now();
      const comparison = compare(rootOf(writer), rootOf(reader));
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

/** Whether the bar is met: nothing wrong, every witness a proof, little undecided. */
export function isGreen({ questions, wrong, undecided, invalidWitnesses }: Judgement): boolean {
  if (questions === 0 || wrong.length > 0 || invalidWitnesses.length > 0) return false;
  return undecided.length <= MAX_UNDECIDED * questions;
}

function rootOf(schema: Schema) {
  return new SchemaSet().add(schema, "schema:/");
}

/** By Ajv, compiled for this one value from the schema as it stands. */
function isValid(schema: Schema, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  return ajv.compile(structuredClone(schema))(value) === true;
}
