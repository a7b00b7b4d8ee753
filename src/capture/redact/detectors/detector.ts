/** Where a secret stands in a text, in UTF-16 code units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The secret itself, where it can be written in several ways; the text that stands there by default. */
  readonly secret?: string;
}

/** Knows secrets of one kind. */
export interface Detector {
  /** Kind of the secret, as placeholders name it; also the file's name, but for the tokens of a table. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether the form alone proves a secret. What might be a number or a hash as well is not looked for in the
   * identifiers of our own records.
   */
  readonly certain: boolean;
  /** How many characters a secret may have, where it is more than a few thousand. */
  readonly reach?: number;
  /** Whether there may be something in a text: a test that costs little, and that next to no text passes. */
  mayFind(text: string): boolean;
  /**
   * Finds the secrets in a text, in order, none within another. Takes time in proportion to the text, whatever it
   * holds; what it finds depends on nothing further away than a placeholder is.
   */
  find(text: string): readonly Span[];
}
