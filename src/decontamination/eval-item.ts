/** Where an evaluation item stands, as findings name it. */
export interface EvalItemRef {
  /** The path as the user gave it. */
  readonly file: string;
  /** Line on which the item begins, from 1. */
  readonly line: number;
  readonly id: string;
}

/** One item of an evaluation set: a text that must not be trained on. */
export interface EvalItem extends EvalItemRef {
  readonly text: string;
}
