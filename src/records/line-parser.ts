/** Makes values of JSON texts. */
export interface LineParser {
  /** Throws SyntaxError when the text is not JSON. */
  parse(text: string): unknown;
  /** The text of a value that is part of what was parsed; undefined when it is not known. */
  textOf(value: object): string | undefined;
  /** Lets go of a record that was parsed. */
  forget(record: object): void;
}

export const plainParser: LineParser = {
  parse: (text) => JSON.parse(text),
  textOf: () => undefined,
  forget() {},
};
