/** Where an evaluation item stands, as findings name it. */
export interface EvalItemRef {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** Line on which the item begins, from 1. */
  readonly line: number;
  readonly id: string;
}

/** One item of an evaluation set: a text that must not be trained on. */
export interface EvalItem extends EvalItemRef {
  readonly text: string;
}

/** A rollout's task, under the id that findings shall carry. */
export interface G3Task {
  readonly id: string;
  readonly text: string;
}

/** What one task shares with one evaluation item; there is one finding per such pair. */
export interface G3Finding {
  /** Id of the task. */
  readonly task: string;
  readonly evalItem: EvalItemRef;
  /**
   * The first n-gram of the evaluation item that the task holds too: its normalised tokens, a space
   * between two. The whole item if that is shorter than n.
   */
  readonly ngram: string;
  /** Tokens of the evaluation item that lie in a shared n-gram / all its tokens: above 0, up to 1. */
  readonly overlapRatio: number;
  /**
   * The longest run of such tokens in the evaluation item, in tokens. It is measured on the item, as
   * the ratio is: two pieces that the task holds apart, and that meet in the item, are one run.
   */
  readonly longestSpan: number;
}
