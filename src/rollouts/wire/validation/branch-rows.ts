import type { EntryTypeName } from "#generated/index.js";
import type { RowCodec } from "../../../base/files/row-log.js";
import type { JsonObject } from "../../../base/json/value.js";
import type { SourceLine } from "../../../base/jsonl/blocks.js";
import { hashText } from "../../../base/text.js";
import type { BranchFacts } from "./rules/rule.js";
import { isBranchType } from "./structure.js";

/** The facts about a branch that rollout rules need, and the position of its line; all as numbers. */
export interface BranchRow extends BranchFacts {
  /** Two different hashes of its rollout_id, because either alone may collide. */
  readonly hash: number;
  readonly otherHash: number;
  /** Index of its file among the inputs. */
  readonly input: number;
  /**
   * Byte offset of its line in the decompressed input, from 0, and the line's length without the newline. The length is
   * 0 for a line without a valid branch: then the facts say nothing.
   */
  readonly offset: number;
  readonly length: number;
  /** From 1. */
  readonly line: number;
  /** For a record of a JSON text: the column in which it begins. */
  readonly column?: number | undefined;
  /** Hash of the task. */
  readonly task: number;
}

/** Encodes branch rows as numbers. */
export const branchCodec: RowCodec<BranchRow> = {
  width: 11,
  toNumbers: (row) => [
    row.hash,
    row.otherHash,
    row.input,
    row.offset,
    row.length,
    row.line,
    row.branchIndex,
    row.task,
    row.rank ?? Number.NaN,
    row.totalScore ?? Number.NaN,
    row.column ?? 0,
  ],
  fromNumbers: (numbers, at) => ({
    hash: numbers[at] ?? 0,
    otherHash: numbers[at + 1] ?? 0,
    input: numbers[at + 2] ?? 0,
    offset: numbers[at + 3] ?? 0,
    length: numbers[at + 4] ?? 0,
    line: numbers[at + 5] ?? 0,
    branchIndex: numbers[at + 6] ?? 0,
    task: numbers[at + 7] ?? 0,
    rank: unlessNan(numbers[at + 8]),
    totalScore: unlessNan(numbers[at + 9]),
    column: numbers[at + 10] || undefined,
  }),
};

function unlessNan(value: number | undefined): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** Collects the rows of the branches of one input. */
export class BranchRows {
  readonly #input: number;
  readonly #numbers: number[] = [];
  /** Branches of a rollout are usually adjacent, so the hash of the most recent text is cached. */
  readonly #ids = new HashOfLatest();
  readonly #otherIds = new HashOfLatest("\0");
  readonly #tasks = new HashOfLatest();

  constructor(input: number) {
    this.#input = input;
  }

  /** Adds a record that is structurally valid for `type`, except that its rank may be 0, if it is a branch. */
  add(record: JsonObject, type: EntryTypeName, { offset, stored, line, column }: SourceLine): void {
    if (!isBranchType(type)) return;
    const { rollout_id: id, task, branch_index: branchIndex, rank, total_score: score } = record;
    if (typeof id !== "string" || typeof task !== "string") return;
    if (typeof branchIndex !== "number") return;
    const isRanked = type === "RolloutBranchRecord";
    this.#push(id, {
      offset,
      length: stored.length,
      line,
      column,
      branchIndex,
      task: this.#tasks.of(task),
      rank: isRanked && typeof rank === "number" ? rank : undefined,
      totalScore: isRanked && typeof score === "number" ? score : undefined,
    });
  }

  /** Adds a line without a valid branch that may belong to the rollout with this id. */
  addLost(id: string, { offset, line }: SourceLine): void {
    const unknown = { branchIndex: 0, task: 0, rank: undefined, totalScore: undefined };
    this.#push(id, { offset, length: 0, line, ...unknown });
  }

  #push(id: string, row: Omit<BranchRow, "hash" | "otherHash" | "input">): void {
    const [hash, otherHash] = [this.#ids.of(id), this.#otherIds.of(id)];
    this.#numbers.push(...branchCodec.toNumbers({ hash, otherHash, input: this.#input, ...row }));
  }

  toNumbers(): Float64Array<ArrayBuffer> {
    return Float64Array.from(this.#numbers);
  }
}

/** Hashes texts and caches the most recent result. */
class HashOfLatest {
  readonly #prefix: string;
  #text = "";
  #hash: number;

  /** The prefix is prepended to every text, which gives a second, different hash. */
  constructor(prefix: string = "") {
    this.#prefix = prefix;
    this.#hash = hashText(prefix);
  }

  of(text: string): number {
    if (text === this.#text) return this.#hash;
    this.#text = text;
    this.#hash = hashText(this.#prefix + text);
    return this.#hash;
  }
}
